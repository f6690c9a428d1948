/**
 * The shell scripts that read and replace a workspace's files, in its folder and with its own rights: in a sandbox of this host, or in a
 * container.
 */

/** Beside the files it replaces, so that putting them in place is a rename. */
export const arriving = ".arriving";
/** The previous files, until all new ones are in place: while this folder exists, its files count. */
export const leaving = ".leaving";
/** The same folder once it no longer counts and only has to be deleted. */
export const left = ".left";
/** The most bytes read of the list of names that are being replaced; a tenant may have put something else there. */
const mostBytesOfNames = 65_536;

// Deleting first and failing then would leave neither the old nor the new files. So the old ones are set aside, and deleted once all new
// ones are in place. `.leaving/was` has the old files, `.leaving/not` the names where there was nothing, and `.leaving/names` all names,
// one per line, written before the first file is touched. If the process dies anywhere, `undo` restores the old files.
const undoScript = `
umask 077
undo() {
  [ -e ${leaving} ] || return 0
  for path; do
    if [ -e "${leaving}/was/$path" ] || [ -L "${leaving}/was/$path" ]; then
      remove "$path" && mv -f -- "${leaving}/was/$path" "$path" || return 1
    elif [ -e "${leaving}/not/$path" ]; then
      remove "$path" || return 1
    fi
  done
  # In one step: a half of it, with a mark that something was not there, would have the next one delete what came since.
  mv -- ${leaving} ${left} && remove ${left}
}
remove() {
  # A folder that its owner may not write to cannot be emptied.
  if [ -d "$1" ] && [ ! -L "$1" ]; then chmod -R u+rwx -- "$1" 2>/dev/null; fi
  rm -rf -- "$1"
}
remove ${left}
`;

/**
 * Restores the old files of a replacement that was interrupted. Arguments: the paths of one begun by an older
 * program, which wrote no names.
 */
export const settleScript = `${undoScript}
remove ${arriving}
if [ -f ${leaving}/names ]; then
  set -f
  IFS='
'
  set -- $(head -c ${mostBytesOfNames} ${leaving}/names)
fi
if [ $# -gt 0 ]; then undo "$@"; elif [ ! -e ${leaving}/was ]; then remove ${leaving}; fi
`;

/** Replaces the paths that are its arguments with what was unpacked, all or none. */
export const placeScript = `${undoScript}
undo "$@" || exit 1
place() {
  mkdir ${leaving} && printf '%s\\n' "$@" > ${leaving}/names.new && mv -- ${leaving}/names.new ${leaving}/names || return 1
  for path; do
    if [ -e "$path" ] || [ -L "$path" ]; then kind=was; else kind=not; fi
    mkdir -p -- "$(dirname -- "${leaving}/$kind/$path")" || return 1
    [ $kind = was ] || : > "${leaving}/not/$path" || return 1
  done
  for path; do
    if [ ! -e "${leaving}/not/$path" ]; then
      # A folder is renamed by whoever may write to it.
      if [ -d "$path" ] && [ ! -L "$path" ]; then chmod u+rwx -- "$path"; fi
      mv -f -- "$path" "${leaving}/was/$path" || return 1
    fi
    if [ -e "${arriving}/$path" ]; then mkdir -p -- "$(dirname -- "$path")" && mv -f -- "${arriving}/$path" "$path" || return 1; fi
  done
  mv -- ${leaving} ${left}
}
if place "$@"; then remove ${left}; remove ${arriving}; exit 0; fi
undo "$@"
exit 1
`;

export const discardScript = `rm -rf -- ${arriving}`;

/** GNU tar's exit code when a file changed or went while it was read; frozen files do not. */
export const changedMeanwhileCode = 1;
/** Files may claim this much beyond twice the space they use: a database has holes of kilobytes. */
const emptyRoomBytes = 1024 ** 3;
/** Exit code of `readScript` for files that are mostly holes. */
export const tooLargeCode = 75;

// A file that its owner made unreadable even for themselves must not prevent a backup. No files at all make an empty archive. Holes of
// sparse files are read as zeros, and each name of a file with several as a separate file. Both could turn a small disk into a backup that
// takes hours and fits nowhere, so the claimed size is compared with the used space. GNU's own format keeps names as bytes; the other
// format calls every name UTF-8, which not all are.
export const readScript = `
count=$#
while [ $count -gt 0 ]; do
  if [ -e "$1" ] || [ -L "$1" ]; then set -- "$@" "$1"; fi
  shift
  count=$((count - 1))
done
[ $# -gt 0 ] || exec head -c 1024 /dev/zero
if du --version 2>/dev/null | grep -q GNU; then
  used=$(du -sc --block-size=1 -- "$@" 2>/dev/null | tail -n 1 | cut -f 1)
  claimed=$(du -slc --apparent-size --block-size=1 -- "$@" 2>/dev/null | tail -n 1 | cut -f 1)
  if [ "$claimed" -gt $((used * 2 + ${emptyRoomBytes})) ]; then
    echo "the files claim $claimed bytes and use $used" >&2
    exit ${tooLargeCode}
  fi
fi
if tar --version | grep -q GNU; then exec tar --create --file=- --format=gnu --one-file-system --ignore-failed-read --hard-dereference -- "$@"; fi
exec tar -c -f - --format=pax -- "$@"
`;

/** Unpacks a tar stream from standard input beside the files. */
export const unpackScript = `umask 077; rm -rf -- ${arriving} && mkdir ${arriving} && exec tar -x -f - -C ${arriving} -o`;

/** What tar prints about a file that it skips. */
const unreadLine = /^tar: (.+?): (?:Warning: )?Cannot (?:open|stat|read): /gm;
/** Decodes a name in tar's messages: bytes beyond ASCII are three octal digits there, and control characters a letter. */
const unquoted = (name: string): string =>
  Buffer.from(
    name.replace(/\\([0-7]{3}|.)/g, (_all, said: string) =>
      said.length === 3 ? String.fromCharCode(Number.parseInt(said, 8)) : said === "\\" ? said : " ",
    ),
    "latin1",
  ).toString();

/** The names of the files that tar reported as unreadable. */
export const namesUnread = (said: string): string[] => [...said.matchAll(unreadLine)].map(([, name]) => unquoted(name!));
