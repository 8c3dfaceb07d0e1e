//! The sentences at the top of the page. They follow from what is in it: a folder of results may hold one
//! paper, or a comparison alone.

use manifest::Paper;

/// One or two sentences below the title.
pub(super) fn lead(papers: &[&Paper]) -> String {
    let claiming =
        papers.iter().filter(|paper| !paper.comparison && paper.claims.iter().any(|claim| !claim.audit));
    let who = match claiming.count() {
        0 => {
            return "Programs play 2048, and every game is kept as a record that anyone can replay."
                .to_owned();
        }
        1 => "One paper says how well its programs play 2048.".to_owned(),
        count => format!("{} papers say how well their programs play 2048.", number(count)),
    };
    format!(
        "{who} Here every program plays again, every game is kept as a record that anyone can replay, and every claim gets a verdict \
         with its interval."
    )
}

/// A number at the beginning of a sentence.
fn number(count: usize) -> String {
    const WORDS: [&str; 11] =
        ["Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Eleven", "Twelve"];
    let word = count.checked_sub(2).and_then(|place| WORDS.get(place));
    word.map_or_else(|| text::thousands(count as f64), |&word| word.to_owned())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use manifest::load_folder;

    fn papers() -> Vec<Paper> {
        load_folder(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../paper-configs")).unwrap()
    }

    #[test]
    fn the_lead_counts_the_papers_that_claim_something() {
        let papers = papers();
        let claims = |paper: &&Paper| paper.claims.iter().any(|claim| !claim.audit);
        let (claiming, silent): (Vec<&Paper>, Vec<&Paper>) = papers.iter().partition(claims);
        assert!(claiming.len() == 6 && silent.len() == 2, "the baselines and the comparison claim nothing");
        assert!(
            lead(&papers.iter().collect::<Vec<_>>())
                .starts_with("Six papers say how well their programs play")
        );
        assert!(lead(&claiming[..2]).starts_with("Two papers say "));
        assert!(
            lead(&[claiming[0], silent[0]])
                .starts_with("One paper says how well its programs play 2048. Here")
        );
        assert!(lead(&silent).starts_with("Programs play 2048, and "));
        assert_eq!((number(12), number(13)), ("Twelve".to_owned(), "13".to_owned()));
    }
}
