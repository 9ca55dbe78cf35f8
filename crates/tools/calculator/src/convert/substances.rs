//! Molar masses, from the standard atomic weights (IUPAC 2021), and charges.

use num_bigint::BigInt;
use num_rational::BigRational;
use rust_decimal::{Decimal, dec};

use super::dimension::{Base, Dimension};
use super::{Bridge, rational};
use crate::Refusal;

pub(super) struct Substance {
    name: &'static str,
    aliases: &'static [&'static str],
    /// In g/mol.
    molar_mass: Decimal,
    /// Equivalents in one mole; zero where nobody counts them.
    charge: u32,
}

const fn substance(
    name: &'static str,
    aliases: &'static [&'static str],
    molar_mass: Decimal,
    charge: u32,
) -> Substance {
    Substance {
        name,
        aliases,
        molar_mass,
        charge,
    }
}

const SUBSTANCES: &[Substance] = &[
    substance("ammonia", &["nh3"], dec!(17.031), 0),
    substance("beta-hydroxybutyrate", &["bhb"], dec!(104.105), 0),
    substance("bicarbonate", &["hco3"], dec!(61.016), 1),
    substance("bilirubin", &[], dec!(584.673), 0),
    substance("caffeine", &[], dec!(194.194), 0),
    substance("calcium", &["ca"], dec!(40.078), 2),
    substance("carbamazepine", &[], dec!(236.274), 0),
    substance("chloride", &["cl"], dec!(35.45), 1),
    substance("cholesterol", &["hdl", "ldl"], dec!(386.664), 0),
    substance("copper", &["cu"], dec!(63.546), 0),
    substance("cortisol", &[], dec!(362.466), 0),
    substance("creatinine", &[], dec!(113.120), 0),
    substance("digoxin", &[], dec!(780.949), 0),
    substance("estradiol", &["oestradiol"], dec!(272.388), 0),
    substance("ethanol", &["alcohol"], dec!(46.069), 0),
    substance("folic acid", &["folate"], dec!(441.404), 0),
    substance("glucose", &["dextrose"], dec!(180.156), 0),
    substance("iron", &["fe"], dec!(55.845), 0),
    substance("lactate", &["lactic acid"], dec!(90.078), 0),
    substance("lithium", &["li"], dec!(6.94), 1),
    substance("magnesium", &["mg"], dec!(24.305), 2),
    substance("paracetamol", &["acetaminophen"], dec!(151.165), 0),
    substance("phenytoin", &[], dec!(252.273), 0),
    substance("phosphate", &["phosphorus"], dec!(30.974), 0),
    substance("potassium", &["k"], dec!(39.098), 1),
    substance("salicylate", &["salicylic acid"], dec!(138.122), 0),
    substance("sodium", &["na"], dec!(22.990), 1),
    substance("testosterone", &[], dec!(288.431), 0),
    substance("theophylline", &[], dec!(180.167), 0),
    substance("thyroxine", &["t4"], dec!(776.872), 0),
    substance("triglycerides", &["triolein"], dec!(885.453), 0),
    substance("urea", &[], dec!(60.056), 0),
    substance("urea nitrogen", &["bun"], dec!(28.014), 0),
    substance("uric acid", &["urate"], dec!(168.112), 0),
    substance("valproic acid", &["valproate"], dec!(144.214), 0),
    substance("vancomycin", &[], dec!(1449.27), 0),
    substance("vitamin b12", &["cyanocobalamin"], dec!(1355.388), 0),
    substance("vitamin d", &["25-hydroxyvitamin d"], dec!(400.647), 0),
    substance("zinc", &["zn"], dec!(65.38), 0),
];

impl Substance {
    pub(super) fn named(name: &str) -> Result<&'static Self, Refusal> {
        let lower = name.trim().to_lowercase().replace('_', " ");
        SUBSTANCES
            .iter()
            .find(|known| known.name == lower || known.aliases.contains(&lower.as_str()))
            .ok_or_else(|| {
                let known: Vec<_> = SUBSTANCES.iter().map(|known| known.name).collect();
                Refusal::unusable(
                    "substance",
                    name,
                    format!(
                        "give its molar mass as `factor` in g/mol, or one of {}",
                        known.join(", ")
                    ),
                )
            })
    }

    pub(super) fn bridges(&self) -> Vec<Bridge> {
        let thousandth = BigRational::new(1.into(), BigInt::from(1000));
        let molar = rational(self.molar_mass) * thousandth;
        let mass_by_amount = Dimension::new(&[(Base::Mass, 1), (Base::Amount, -1)]);
        let mut bridges = vec![Bridge {
            ratio: molar.clone(),
            dimension: mass_by_amount,
            text: format!("the molar mass of {}, {} g/mol", self.name, self.molar_mass),
        }];
        if self.charge > 0 {
            let charge = BigRational::from_integer(self.charge.into());
            bridges.push(Bridge {
                ratio: charge.clone(),
                dimension: Dimension::new(&[(Base::Equivalent, 1), (Base::Amount, -1)]),
                text: format!("the charge of {}, {} Eq/mol", self.name, self.charge),
            });
            bridges.push(Bridge {
                ratio: molar / charge,
                dimension: Dimension::new(&[(Base::Mass, 1), (Base::Equivalent, -1)]),
                text: format!(
                    "the equivalent mass of {}, {} ÷ {} g/Eq",
                    self.name, self.molar_mass, self.charge
                ),
            });
        }
        bridges
    }
}
