//! Findings and accounts, held against the verdicts that carry them.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

use super::{Ruling, Verdict};
use manifest::{Conclusion, Paper};

/// A finding or an account, and what became of the verdicts that it needs.
#[derive(Clone, Debug, Serialize)]
pub struct JudgedConclusion<'a> {
    /// The paper.
    #[serde(serialize_with = "id")]
    pub paper: &'a Paper,
    /// Which of the paper's conclusions it is.
    pub part: Part,
    /// What it says.
    pub text: &'a str,
    /// Whether the verdicts carry it.
    pub standing: ConclusionStatus,
    /// The verdicts that it needs, in the order of its manifest.
    pub needs: Vec<NeededVerdict<'a>>,
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
pub enum ConclusionStatus {
    /// Every verdict is the one that it needs.
    Carried,
    /// Some are not, for want of games that the manifest asks for, or because this machine is not as fast as
    /// another.
    Open,
    /// Some are not, and that is a result.
    Fallen,
}

impl ConclusionStatus {
    /// The word for it.
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
pub struct NeededVerdict<'a> {
    /// The claim.
    pub claim: &'a str,
    /// What must come of it.
    pub needed: Ruling,
    /// The result.
    pub verdict: Ruling,
    /// Whether the verdict can still change without anything being wrong.
    #[serde(skip)]
    pub is_open: bool,
}

impl NeededVerdict<'_> {
    fn is_met(&self) -> bool {
        self.needed == self.verdict
    }
}

impl JudgedConclusion<'_> {
    /// The verdicts that are not what it needs.
    pub fn unmet(&self) -> impl Iterator<Item = &NeededVerdict<'_>> {
        self.needs.iter().filter(|need| !need.is_met())
    }

    /// What is wrong with it, in a line for each verdict that is not what it needs: the claim, what is needed
    /// and what there is.
    pub fn problems(&self) -> Vec<String> {
        let paper = &self.paper.id;
        let part = match self.part {
            Part::Finding(number) => format!("finding {number}"),
            Part::Account => "the account".to_owned(),
        };
        let line = |need: &NeededVerdict<'_>| {
            let NeededVerdict { claim, needed, verdict, .. } = need;
            format!("{paper}: {part} needs claim `{claim}` to be {needed}, but it is {verdict}")
        };
        self.unmet().map(line).collect()
    }
}

fn id<S: Serializer>(paper: &&Paper, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&paper.id)
}

/// All findings and accounts of some papers, in the manifests' order, the account of each paper first.
pub fn conclude<'a>(papers: &'a [Paper], verdicts: &[Verdict<'a>]) -> Vec<JudgedConclusion<'a>> {
    let verdicts: VerdictIndex<'_, 'a> = verdicts
        .iter()
        .map(|verdict| ((verdict.paper.id.as_str(), verdict.claim.id.as_str()), verdict))
        .collect();
    let mut all = Vec::new();
    for paper in papers {
        let account = paper.account.iter().map(|account| (Part::Account, account));
        let findings = (1..).map(Part::Finding).zip(&paper.findings);
        all.extend(account.chain(findings).map(|(part, conclusion)| one(paper, part, conclusion, &verdicts)));
    }
    all
}

/// Verdicts by paper and claim.
type VerdictIndex<'v, 'a> = BTreeMap<(&'a str, &'a str), &'v Verdict<'a>>;

fn one<'a>(
    paper: &'a Paper,
    part: Part,
    conclusion: &'a Conclusion,
    verdicts: &VerdictIndex<'_, 'a>,
) -> JudgedConclusion<'a> {
    let need = |(claim, needed)| {
        let verdict = verdicts.get(&(paper.id.as_str(), claim))?;
        let is_open = verdict.lacks_games || verdict.rests_on_timing;
        Some(NeededVerdict { claim, needed, verdict: verdict.ruling, is_open })
    };
    let needs: Vec<NeededVerdict<'a>> = conclusion.needed().filter_map(need).collect();
    let unmet: Vec<&NeededVerdict<'_>> = needs.iter().filter(|need| !need.is_met()).collect();
    let standing = if unmet.is_empty() {
        ConclusionStatus::Carried
    } else if unmet.iter().all(|need| need.is_open) {
        ConclusionStatus::Open
    } else {
        ConclusionStatus::Fallen
    };
    JudgedConclusion { paper, part, text: &conclusion.text, standing, needs }
}
