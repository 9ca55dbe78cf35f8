//! Who somebody on this machine is: the account that they use, whatever they call themselves. Where two people are
//! needed, a name that anybody can take would make two of one.

use adjutant_mission::{Actor, ActorKind, AgentId, MissionId, Plan, TenantId};
use adjutant_store::Store;
use nix::unistd::{Uid, User, geteuid};

use crate::{Host, HostError};

/// The account that this process has.
pub fn own_account() -> Option<AgentId> {
    account_of(geteuid().as_raw())
}

/// By its name, or by its number if it has none that we could record.
pub(crate) fn account_of(number: u32) -> Option<AgentId> {
    let user = User::from_uid(Uid::from_raw(number)).ok().flatten();
    user.and_then(|user| AgentId::new(user.name).ok())
        .or_else(|| AgentId::new(format!("uid-{number}")).ok())
}

impl<S: Store> Host<S> {
    /// Whether somebody on this machine may open a mission with this plan under the name they give.
    pub fn check_claim(
        &self,
        account: Option<&AgentId>,
        by: &Actor,
        plan: &Plan,
    ) -> Result<(), HostError> {
        let is_account = is_of(by, account);
        let of_rules = self.shared().rules.counts_people();
        let counts = plan.counts_people() || !self.shared().four_eyes.is_empty() || of_rules;
        if is_account || !counts {
            return Ok(());
        }
        Err(HostError::ClaimedName {
            claimed: by.id.clone(),
            account: account.cloned(),
        })
    }

    /// The same, of what is done to a mission. A rule that came later does not hold for it.
    pub(crate) async fn check_claim_in(
        &self,
        account: Option<&AgentId>,
        by: &Actor,
        tenant: &TenantId,
        mission: MissionId,
    ) -> Result<(), HostError> {
        if is_of(by, account) {
            return Ok(());
        }
        match self.journal(tenant).load(mission).await {
            Ok((loaded, _)) if !loaded.plan().counts_people() => Ok(()),
            Ok((loaded, _)) => self.check_claim(account, by, loaded.plan()),
            // Whatever it is, who carries out the command says it better.
            Err(_) => Ok(()),
        }
    }
}

/// Whether it is the person whose account it is, or a program in their name: where people are counted, it counts as them.
fn is_of(by: &Actor, account: Option<&AgentId>) -> bool {
    let person = match by.kind {
        ActorKind::Human => Some(&by.id),
        ActorKind::Agent => by.on_behalf_of.as_ref(),
        ActorKind::System => None,
    };
    person.is_some() && person == account
}
