//! Findings and accounts, held against the verdicts that carry them.

use serde::{Serialize, Serializer};

use super::{Ruling, Verdict};
use manifest::{Conclusion, Paper};

/// A finding or an account, and what became of the verdicts that it needs.
#[derive(Clone, Debug, Serialize)]
pub struct Concluded<'a> {
    /// The paper.
    #[serde(serialize_with = "id")]
    pub paper: &'a Paper,
    /// Which of the paper's conclusions it is.
    pub part: Part,
    /// What it says.
    pub text: &'a str,
    /// Whether the verdicts carry it.
    pub standing: Standing,
    /// The verdicts that it needs, in the order of its manifest.
    pub needs: Vec<Need<'a>>,
}

/// Which of a paper's conclusions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Part {
    /// The finding with this number, from 1.
    Finding(usize),
    /// The account.
    Account,
}

/// Whether verdicts carry a conclusion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    /// Every verdict is the one that it needs.
    Carried,
    /// Some are not, for want of games that the manifest asks for, or because this machine is not as fast as another.
    Open,
    /// Some are not, and that is a result.
    Fallen,
}

impl Standing {
    /// The word for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Carried => "carried",
            Self::Open => "open",
            Self::Fallen => "no longer carried",
        }
    }
}

/// A verdict that a conclusion needs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Need<'a> {
    /// The claim.
    pub claim: &'a str,
    /// What must come of it.
    pub needed: Ruling,
    /// What came of it.
    pub verdict: Ruling,
    /// Whether the verdict can still change without anything being wrong.
    #[serde(skip)]
    pub is_open: bool,
}

impl Need<'_> {
    fn is_met(&self) -> bool {
        self.needed == self.verdict
    }
}

impl Concluded<'_> {
    /// The verdicts that are not what it needs.
    pub fn unmet(&self) -> impl Iterator<Item = &Need<'_>> {
        self.needs.iter().filter(|need| !need.is_met())
    }

    /// What is wrong with it, in a line for each verdict that is not what it needs: the claim, what is needed and what there is.
    #[must_use]
    pub fn problems(&self) -> Vec<String> {
        let paper = &self.paper.id;
        let part = match self.part {
            Part::Finding(number) => format!("finding {number}"),
            Part::Account => "the account".to_owned(),
        };
        let line = |need: &Need<'_>| {
            let Need { claim, needed, verdict, .. } = need;
            format!("{paper}: {part} needs claim `{claim}` to be {needed}, but it is {verdict}")
        };
        self.unmet().map(line).collect()
    }
}

fn id<S: Serializer>(paper: &&Paper, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&paper.id)
}

/// All findings and accounts of some papers, in the manifests' order, the account of each paper first.
#[must_use]
pub fn conclude<'a>(papers: &'a [Paper], verdicts: &[Verdict<'a>]) -> Vec<Concluded<'a>> {
    let mut all = Vec::new();
    for paper in papers {
        let account = paper.account.iter().map(|account| (Part::Account, account));
        let findings = (1..).map(Part::Finding).zip(&paper.findings);
        all.extend(account.chain(findings).map(|(part, conclusion)| one(paper, part, conclusion, verdicts)));
    }
    all
}

fn one<'a>(
    paper: &'a Paper,
    part: Part,
    conclusion: &'a Conclusion,
    verdicts: &[Verdict<'a>],
) -> Concluded<'a> {
    let find =
        |id: &str| verdicts.iter().find(|verdict| verdict.paper.id == paper.id && verdict.claim.id == id);
    let need = |(claim, needed)| {
        let verdict = find(claim)?;
        let is_open = verdict.lacks_games || verdict.rests_on_timing;
        Some(Need { claim, needed, verdict: verdict.ruling, is_open })
    };
    let needs: Vec<Need<'a>> = conclusion.needed().filter_map(need).collect();
    let unmet: Vec<&Need<'_>> = needs.iter().filter(|need| !need.is_met()).collect();
    let standing = match () {
        () if unmet.is_empty() => Standing::Carried,
        () if unmet.iter().all(|need| need.is_open) => Standing::Open,
        () => Standing::Fallen,
    };
    Concluded { paper, part, text: &conclusion.text, standing, needs }
}
