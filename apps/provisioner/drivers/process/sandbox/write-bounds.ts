/**
 * Lines of a shell script that put a process under its limits. Its parameters are pairs of a file and what to write there ("self": the
 * process itself), up to "--", and are consumed; "?" marks a file that not every kernel has.
 */
export const writeBounds = `while [ "$1" != -- ]; do
  file=\${1%\\?} value=$2
  if [ "$file" = "$1" ] || [ -e "$file" ]; then
    [ -d "\${file%/*}" ] || /bin/mkdir -p -- "\${file%/*}"
    [ "$value" != self ] || value=$$
    echo "$value" > "$file"
  fi
  shift 2
done
shift
`;
