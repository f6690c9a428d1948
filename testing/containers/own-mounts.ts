/**
 * Shell commands for a process with its own mount namespace, which begins with all that is mounted here. Without them it would keep the
 * disks of other tests' workspaces in use after these were unmounted: a broken one could not be repaired, and none could grow. Those with
 * `$keep` in their folder's name stay; one whose folder is deleted meanwhile is gone already. They contain no single quotes.
 */
export const leaveDisks = String.raw`grep "^/dev/loop[^ ]* [^ ]* ext4 " /proc/self/mounts | grep -v -e "${"${keep:-/no folder/}"}" | while read -r device place rest; do
  umount -l "$(printf "%b" "$place")" 2>/dev/null || :
done
`;
