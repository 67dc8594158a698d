//! File systems that other machines write to without this one being told.

use std::path::Path;

/// Whether `folder` is on one: NFS, SMB, 9P (of which WSL makes Windows' drives), Ceph, and what FUSE brings, as `sshfs` and the folders
/// that virtual machines share.
#[cfg(target_os = "linux")]
pub(super) fn is_remote(folder: &Path) -> bool {
    /// From `linux/magic.h` and the file systems' own sources.
    const REMOTE: [u32; 8] = [
        0x0000_6969, // NFS
        0x0000_517b, // SMB
        0xff53_4d42, // CIFS
        0xfe53_4d42, // SMB2
        0x0102_1997, // 9P
        0x00c3_6400, // Ceph
        0x6573_5546, // FUSE
        0x5346_414f, // AFS
    ];
    rustix::fs::statfs(folder).is_ok_and(|found| {
        // The type is signed on some machines, and wider than the number on others.
        let kind = found.f_type as u32;
        REMOTE.contains(&kind)
    })
}

/// Not known, here.
#[cfg(not(target_os = "linux"))]
pub(super) fn is_remote(_: &Path) -> bool {
    false
}
