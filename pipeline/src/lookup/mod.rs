//! Agents that a command line names: the [`finder`] resolves a name to a [`chosen_agent`], and [`ad_hoc`]
//! makes the experiment of its games.

pub(crate) mod ad_hoc;
pub(crate) mod chosen_agent;
pub(crate) mod finder;
