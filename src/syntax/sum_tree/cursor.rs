//! Iteration over a tree from any item on.

use super::{NodeChildren, SumTree, SumTreeItem, SumTreeNode};

/// An iterator over the items of a [`SumTree`] from one on.
#[derive(Debug)]
pub struct Iter<'t, T: SumTreeItem> {
    /// The remaining items: for each level the nodes after the current one, the leaf's items last.
    branches: Vec<std::slice::Iter<'t, std::sync::Arc<SumTreeNode<T>>>>,
    items: std::slice::Iter<'t, T>,
}

impl<'t, T: SumTreeItem> Iter<'t, T> {
    pub(super) fn new(tree: &'t SumTree<T>, index: usize) -> Self {
        let mut this = Self { branches: Vec::new(), items: [].iter() };
        this.descend(&tree.root, index);
        this
    }

    /// Goes to the item at `index` below `node`.
    fn descend(&mut self, mut node: &'t SumTreeNode<T>, mut index: usize) {
        'down: loop {
            match &node.below {
                NodeChildren::Items(items) => {
                    self.items = items.get(index..).unwrap_or_default().iter();
                    return;
                }
                NodeChildren::Nodes { nodes, .. } => {
                    let mut behind = nodes.iter();
                    while let Some(child) = behind.next() {
                        if index < child.count {
                            self.branches.push(behind);
                            node = child;
                            continue 'down;
                        }
                        index -= child.count;
                    }
                    return;
                }
            }
        }
    }
}

impl<'t, T: SumTreeItem> Iterator for Iter<'t, T> {
    type Item = &'t T;

    fn next(&mut self) -> Option<&'t T> {
        loop {
            if let Some(item) = self.items.next() {
                return Some(item);
            }
            let next = loop {
                match self.branches.last_mut()?.next() {
                    Some(node) => break node,
                    None => self.branches.pop(),
                };
            };
            self.descend(next, 0);
        }
    }
}
