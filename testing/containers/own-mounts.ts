/**
 * Shell commands for a service with its own mount namespace, which begins with all that is mounted here. Without them it would keep the
 * disks of other tests' workspaces in use after these were unmounted, and a broken one could not be repaired. They contain no single quotes.
 */
export const leaveDisks = String.raw`grep "^/dev/loop[^ ]* [^ ]* ext4 " /proc/self/mounts | while read -r device place rest; do
  umount -l "$(printf "%b" "$place")"
done
`;
