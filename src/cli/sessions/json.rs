//! `--format json` and `jsonl`: for programs. All keys are always present; missing values are null.

use super::*;

/// Writes a line for each session; as one array, if `is_array`.
pub(super) fn write(rows: &[SessionRow<'_>], is_array: bool) -> io::Result<()> {
    let rows: Vec<_> = rows.iter().map(|row| row.json().to_string()).collect();
    let text = match is_array {
        true => format!("[{}\n]\n", rows.iter().map(|row| format!("\n{row}")).collect::<Vec<_>>().join(",")),
        false => rows.iter().map(|row| format!("{row}\n")).collect(),
    };
    let mut out = Escaping::json(io::stdout());
    out.write_all(text.as_bytes())?;
    out.flush()
}
