use super::*;

#[test]
fn keys_between_are_evenly_spaced_or_none() {
    assert_eq!(keys_between(0, u32::MAX, 2), Some(vec![STEP, 2 * STEP]));
    assert_eq!(keys_between(10, 14, 3), Some(vec![11, 12, 13]));
    assert_eq!(keys_between(10, 13, 3), None);
    assert_eq!(keys_between(10, 11, 1), None);
    assert_eq!(keys_between(u32::MAX - 1, u32::MAX, 1), None);
}

#[test]
fn only_canonical_fallback_ids_count() {
    let check = |id: &str, expected: Option<u32>| assert_eq!(number_of_fence(id), expected, "{id}");
    check("tool-call-12", Some(12));
    check("tool-call-012", None);
    check("tool-call-+1", None);
    check("tool-call-", None);
    check("tool-call-99999999999", None);
    check("call-1", None);
}
