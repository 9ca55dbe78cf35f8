"""Where the formatter differs from citeproc on purpose, with the rule for each entry.

These strings were recorded from the formatter and read against the rule by eye; citeproc does not vouch for them.
"""

DIFFERENCES = {
    ("vancouver", "j-nodate"): {
        "text": (
            'Timeless T. An undated article. J Names. [date unknown];1(1):1-2.',
            'Citing Medicine, journal articles: a date that cannot be found is [date unknown]',
        ),
    },
    ("vancouver", "j-question"): {
        "text": (
            'Asker I. Is less more? JAMA Intern Med. 2015 Jun;175(6):882-91. doi:10.1001/jamainternmed.2015.0001',
            "a title that ends with a mark of its own gets no full stop (processor's slip)",
        ),
    },
    ("vancouver", "b-editors"): {
        "text": (
            'Mann RD, Andrews EB, editors. Handbook of drug safety. 2nd ed. Chichester: Wiley; 2007.',
            "editors that stand in the place of authors are not named again (processor's slip)",
        ),
    },
    ("vancouver", "r-one"): {
        "text": (
            'World Health Organization. Global tuberculosis report [Internet]. Geneva: World Health Organization; 2022 Oct [cited 2023 Jan 15]. Report No.: WHO/2022/1. Available from: https://www.who.int/tb/report',
            'Citing Medicine, reports: Report No.:',
        ),
    },
    ("vancouver", "r-guideline"): {
        "text": (
            'National Institute for Health and Care Excellence. Hypertension in adults: diagnosis and management [Guideline] [Internet]. London: NICE; 2019 Aug [cited 2024 Feb 3]. Guideline No.: NG136. Available from: https://www.nice.org.uk/guidance/ng136',
            'Citing Medicine, reports: No.: with a capital, as in Report No.:',
        ),
    },
    ("vancouver", "w-nodate"): {
        "text": (
            'Federal Agency. About the agency [Internet]. [date unknown] [cited 2024 Dec 1]. Available from: https://agency.example.org/about',
            'Citing Medicine, web sites: a date that cannot be found is [date unknown]',
        ),
    },
    ("vancouver", "p-one"): {
        "text": (
            'Inventor I, Maker M, inventors. Antibody against a receptor. Patent US 10,123,456 B2. 2018 Nov 13.',
            'ICMJE samples, patent: inventors, patent number, full date',
        ),
    },
    ("vancouver", "t-trial"): {
        "text": (
            'ClinicalTrials.gov [Internet]. Identifier NCT04280705, A study of drug X in adults with asthma; 2020 Feb 21 [cited 2024 Mar 9]. Available from: https://clinicaltrials.gov/study/NCT04280705',
            'Citing Medicine, parts of databases: the registry is the work, the trial its part, with its identifier',
        ),
    },
    ("vancouver", "d-one"): {
        "text": (
            'Data D, Row R. Adverse event counts by drug [dataset]. Version 2.1. Zenodo; 2023. doi:10.5281/zenodo.1234567',
            'ICMJE: a data set is marked [dataset]; its version is named',
        ),
    },
    ("vancouver", "l-reg"): {
        "text": (
            'European Parliament. Regulation on clinical trials on medicinal products for human use. Regulation (EU) No 536/2014. Official Journal of the European Union [Internet]. 2014 Apr 16 [cited 2024 Jan 2]. Available from: https://eur-lex.example.org/536',
            'ICMJE samples, legal material: the number identifies the act, the full date its wording',
        ),
    },
    ("apa", "j-two"): {
        "text": (
            'Okafor, C., & Lind, E. M. (2020). Statins and the kidney: A review. Kidney International, 98(2), 301–312. https://doi.org/10.1016/j.kint.2020.01.001',
            'APA 7, 6.17: the first word after a colon has a capital',
        ),
    },
    ("apa", "j-suffix"): {
        "text": (
            'King, M. L., Jr., & Gates, W. H., III. (2018). Names with suffixes. Journal of Names, 7(2), 20–29.',
            'APA 7, 9.8: Jr. has a full stop',
        ),
    },
    ("apa", "j-noauthor"): {
        "text": (
            'Ebola outbreak in the region. (2019). Weekly Epidemiological Record, 94(3), 33–36.',
            'APA 7, 9.12: without author the title moves to the front and is not repeated; commas stand inside of quotation marks',
        ),
        "cited": (
            '(“Ebola Outbreak in the Region,” 2019)',
            'APA 7, 9.12: without author the title moves to the front and is not repeated; commas stand inside of quotation marks',
        ),
    },
    ("apa", "j-question"): {
        "text": (
            'Asker, I. (2015). Is less more? JAMA Internal Medicine, 175(6), 882–891. https://doi.org/10.1001/jamainternmed.2015.0001',
            "a title that ends with a mark of its own gets no full stop (processor's slip)",
        ),
    },
    ("apa", "b-one"): {
        "text": (
            'Fletcher, R. H., & Fletcher, S. W. (2014). Clinical epidemiology: The essentials (5th ed.). Lippincott Williams & Wilkins.',
            'APA 7, 6.17: the first word after a colon has a capital',
        ),
    },
    ("apa", "b-editors"): {
        "text": (
            'Mann, R. D., & Andrews, E. B. (Eds.). (2007). Handbook of drug safety (2nd ed.). Wiley.',
            "APA 7: (Eds.) with a capital, and editors in the place of authors are not named again (processor's slip)",
        ),
    },
    ("apa", "c-one"): {
        "text": (
            'Wilkinson, G. R. (2001). Pharmacokinetics. In J. G. Hardman & L. E. Limbird (Eds.), The pharmacological basis of therapeutics (10th ed., pp. 3–29). McGraw-Hill.',
            'APA 7, chapters: (Eds.) with a capital',
        ),
    },
    ("apa", "c-oneed"): {
        "text": (
            'Edwards, R. (2014). Adverse reactions. In R. Mann (Ed.), Pharmacovigilance (pp. 55–60). Wiley.',
            'APA 7, chapters: (Ed.) with a capital',
        ),
    },
    ("apa", "r-one"): {
        "text": (
            'World Health Organization. (2022). Global tuberculosis report (WHO/2022/1). https://www.who.int/tb/report',
            'APA 7, 9.29: a publisher that is the author is left out',
        ),
    },
    ("apa", "r-guideline"): {
        "text": (
            'National Institute for Health and Care Excellence. (2019). Hypertension in adults: Diagnosis and management (Guideline No. NG136). NICE. https://www.nice.org.uk/guidance/ng136',
            'APA 7, 6.17: the first word after a colon has a capital',
        ),
    },
    ("apa", "w-noauthor"): {
        "text": (
            'Heart failure facts. (2021). https://heart.example.org/facts',
            'APA 7, 9.12: without author the title moves to the front and is not repeated',
        ),
    },
    ("apa", "p-one"): {
        "text": (
            'Inventor, I., & Maker, M. (2018). Antibody against a receptor (Patent No. US 10,123,456 B2). United States Patent and Trademark Office.',
            'APA 7, patents: the number behind the title, the office as source',
        ),
    },
    ("apa", "l-act"): {
        "text": (
            'Patient Safety Act, Pub. L. No. 109-41 (2005).',
            "APA 7, chapter 11: the number of the law once (processor's slip)",
        ),
    },
    ("apa", "l-reg"): {
        "text": (
            'Regulation on Clinical Trials on Medicinal Products for Human Use, Regulation (EU) No 536/2014, Official Journal of the European Union (2014). https://eur-lex.example.org/536',
            "APA 7, chapter 11: the number of the act as it is written (processor's slip)",
        ),
    },
    ("apa", "th-one"): {
        "text": (
            'Scholar, S. (2015). Models of drug absorption [PhD thesis]. University of Oslo.',
            "APA 7, dissertations: no empty publication number (processor's slip)",
        ),
    },
    ("apa", "cp-one"): {
        "text": (
            'Neural, N., & Deep, D. (2019). Learning to triage. In C. Chair (Ed.), Proceedings of the Conference on Health Informatics (pp. 112–119). ACM. https://doi.org/10.1145/1234567.1234568',
            'APA 7, chapters: (Ed.) with a capital',
        ),
    },
    ("ama", "j-noauthor"): {
        "text": (
            'Ebola outbreak in the region. Wkly Epidemiol Rec. 2019;94(3):33-36.',
            "without author the title moves to the front and is not repeated (processor's slip)",
        ),
    },
    ("ama", "j-question"): {
        "text": (
            'Asker I. Is less more? JAMA Intern Med. 2015;175(6):882-891. doi:10.1001/jamainternmed.2015.0001',
            "a title that ends with a mark of its own gets no full stop (processor's slip)",
        ),
    },
    ("ama", "b-editors"): {
        "text": (
            'Mann RD, Andrews EB, eds. Handbook of Drug Safety. 2nd ed. Wiley; 2007.',
            "editors that stand in the place of authors are not named again (processor's slip)",
        ),
    },
    ("ama", "r-one"): {
        "text": (
            'World Health Organization. Global Tuberculosis Report. World Health Organization; 2022. WHO/2022/1. Accessed January 15, 2023. https://www.who.int/tb/report',
            'AMA 11, government and agency reports: the publication number follows the date',
        ),
    },
    ("ama", "r-guideline"): {
        "text": (
            'National Institute for Health and Care Excellence. Hypertension in Adults: Diagnosis and Management. NICE; 2019. NG136. Accessed February 3, 2024. https://www.nice.org.uk/guidance/ng136',
            'AMA 11, government and agency reports: the publication number follows the date',
        ),
    },
    ("ama", "w-noauthor"): {
        "text": (
            'Heart failure facts. 2021. Accessed July 4, 2022. https://heart.example.org/facts',
            "without author the title moves to the front and is not repeated (processor's slip)",
        ),
    },
    ("ama", "p-one"): {
        "text": (
            'Inventor I, Maker M, inventors. Antibody against a receptor. Patent US 10,123,456 B2. November 13, 2018.',
            'AMA 11, patents: inventors, patent number, date of issue',
        ),
    },
    ("ama", "t-trial"): {
        "text": (
            'A study of drug X in adults with asthma. ClinicalTrials.gov identifier: NCT04280705. February 21, 2020. Accessed March 9, 2024. https://clinicaltrials.gov/study/NCT04280705',
            "AMA 11, clinical trial registries: title first, then the registry's identifier",
        ),
    },
    ("ama", "d-one"): {
        "text": (
            'Data D, Row R. Adverse event counts by drug. Version 2.1. Zenodo; 2023. doi:10.5281/zenodo.1234567',
            'AMA 11, databases and data sets: version and publisher are named',
        ),
    },
    ("ama", "n-press"): {
        "text": (
            'Agency approves first gene therapy. News release. Food and Drug Administration; August 30, 2017. Accessed January 2, 2024. https://fda.example.org/press/1',
            'AMA 11, news releases: title, News release, the sender as publisher with the full date',
        ),
    },
    ("ama", "l-act"): {
        "text": (
            'Patient Safety Act. Pub. L. No. 109-41. July 29, 2005.',
            'AMA 11, legal references: the number identifies the law; its title is not repeated',
        ),
    },
    ("ama", "l-reg"): {
        "text": (
            'European Parliament. Regulation on clinical trials on medicinal products for human use. Regulation (EU) No 536/2014. Official Journal of the European Union. April 16, 2014. Accessed January 2, 2024. https://eur-lex.example.org/536',
            'AMA 11, legal references: the number identifies the act and is no page',
        ),
    },
}
