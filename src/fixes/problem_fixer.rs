//! The proposed fixes of a problem: from its rule or dialect, or made by its cause.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::ops::Range;

use super::LINK_TITLE;
use super::propose::{Proposal, proposals_in};
use super::requests::RequestFixer;
use crate::checks::{Cause, Problem};
use crate::diagnostic::{Code, Diagnostic, Fix};
use crate::document::{Document, PairedUses};
use crate::rules::links::CrossBlockFact;

/// Maximum number of blocks that are searched for blocks that share an id. In logs with very many
/// records of one id, only the first diagnostics have fixes.
const MOST_LOOKED_AT: usize = 20_000;

/// Proposals by the range and code of their diagnostics.
type ProposalsByDiagnostic = BTreeMap<(usize, usize, Code), Vec<Proposal<Range<usize>>>>;

/// Fixes by the segment of a block, its index in that, and its issue.
type FixesByIssue = BTreeMap<(usize, usize, CrossBlockFact), Fix<Range<usize>>>;

/// Makes the fixes of the problems in a range.
pub(super) struct ProblemFixer<'d> {
    document: &'d Document,
    /// The fixes that rules and dialects propose.
    proposed: ProposalsByDiagnostic,
    /// The tool uses, for outdated forms.
    uses: OnceCell<PairedUses<'d>>,
    /// The fixes in message logs.
    of_messages: OnceCell<FixesByIssue>,
    of_requests: RequestFixer<'d>,
    /// The number of blocks that may still be searched.
    left: usize,
}

impl<'d> ProblemFixer<'d> {
    /// A fixer for the problems that touch `range`, of all codes or of one.
    pub fn new(document: &'d Document, range: &Range<usize>, only: Option<Code>) -> Self {
        let mut proposed = ProposalsByDiagnostic::new();
        let of_text = proposals_in(document.context(), range, only);
        for proposal in of_text.into_iter().chain(document.proposals_in_delta_text(range, only)) {
            let key = (proposal.place.start, proposal.place.end, proposal.code);
            proposed.entry(key).or_default().push(proposal);
        }
        Self {
            document,
            proposed,
            uses: OnceCell::new(),
            of_messages: OnceCell::new(),
            of_requests: RequestFixer::new(document),
            left: MOST_LOOKED_AT,
        }
    }

    /// The fixes of `problem`, best first; edits are in document order.
    pub fn fixes_of(&mut self, problem: &Problem) -> Vec<Fix<Range<usize>>> {
        let document = self.document;
        let fix = match &problem.cause {
            _ if problem.diagnostic.code.is_deprecation() => {
                let uses = self.uses.get_or_init(|| document.paired_uses());
                document.unified(uses, problem.diagnostic.range.start)
            }
            Cause::Own => {
                let mut fixes = self.take_proposed(&problem.diagnostic);
                for fix in &mut fixes {
                    if let Some(name) = &fix.tool_name {
                        fix.edits.extend(document.renamed_beside(problem.diagnostic.range.start, name));
                    }
                }
                return sorted(fixes);
            }
            Cause::UnusedSuppression(unused) => {
                return document.fixes_of_suppression(unused, &problem.diagnostic.range);
            }
            Cause::Link { fact, segment, block } if document.is_in_message(*segment, *block) => {
                self.of_messages().get(&(*segment, *block, *fact)).cloned()
            }
            Cause::Link { fact, segment, block } => {
                document.fix_of_link(*fact, *segment, *block, &mut self.left)
            }
            Cause::LostParent(lost) => {
                let edit = document.link_to_record_before(lost);
                edit.map(|edit| Fix::new(LINK_TITLE, vec![edit]).preferred())
            }
            _ => self.of_requests.fix(problem),
        };
        sorted(fix.into_iter().collect())
    }

    fn of_messages(&self) -> &FixesByIssue {
        self.of_messages.get_or_init(|| {
            let fixes = self.document.message_fixes().into_iter();
            fixes.filter_map(|it| Some(((it.segment, it.block, it.fact), it.fix?))).collect()
        })
    }

    /// Takes the fixes proposed for `problem`; of two equal diagnostics each has its own proposal.
    fn take_proposed(&mut self, problem: &Diagnostic) -> Vec<Fix<Range<usize>>> {
        let key = (problem.range.start, problem.range.end, problem.code);
        let Some(found) = self.proposed.get_mut(&key) else { return Vec::new() };
        let at = found.iter().position(|proposal| proposal.message == problem.message);
        at.map(|at| found.remove(at).fixes).unwrap_or_default()
    }
}

/// The fixes with their edits in document order.
fn sorted(mut fixes: Vec<Fix<Range<usize>>>) -> Vec<Fix<Range<usize>>> {
    for fix in &mut fixes {
        fix.edits.sort_by_key(|(range, _)| (range.start, range.end));
    }
    fixes
}
