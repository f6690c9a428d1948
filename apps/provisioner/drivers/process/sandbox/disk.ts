/**
 * Disks of a workspace: a file system in a file, mounted at a folder. It grows as it fills, and when it is full, only this workspace is
 * affected; quotas would require mounting the host's own file system with support for them. All changes are made under a lock, because
 * mounting one file through two loop devices destroys its file system.
 */
import { stat } from "node:fs/promises";
import { runProgram, type Owner } from "../host/run-program.ts";
import { hasCode } from "../../driver-trouble.ts";
import type { WorkspacePaths } from "../storage/workspace-paths.ts";
import { writeSpeed } from "./control-groups/limits.ts";
import type { SandboxTools } from "./sandbox-tools.ts";

/** A file system of terabytes is created in seconds; moving what a workspace had before it had a disk can take long. */
const prepareTimeoutMs = 30 * 60_000;
const unmountTimeoutMs = 30_000;

/**
 * Bytes per second that one disk may write: less than half of what a slow server can, so that a neighbour's database still gets its turn.
 */
const bytesPerSecond = 100_000_000;

/** Limits how much can be written to the image's loop device per second. If the host cannot, the disk works without a limit. */
const setSpeed = `
device=$("$losetup" -n -O NAME -j "$image") || :
if [ -n "$device" ] && [ -n "$speed_file" ] && [ -e "$speed_file" ]; then
  echo "$(cat "/sys/block/\${device#/dev/}/dev") $speed" 2>/dev/null > "$speed_file" || :
fi
`;

/*
 * Arguments: 1 the image, 2 its mount point, 3 megabytes, 4 the owner's id, 5… the tools, 15 the host's floor, 16 the purpose. Anything in
 * the folder from before there was a disk moves onto it. The image gets its final name only when everything is there, and the old folder is
 * deleted only after that. The same amount of spare room is reserved for root: it costs nothing while empty, and is lent to the owner while
 * their files are replaced.
 */
const mountScript = `
set -e
umask 077
image=$1 data=$2 mb=$3 id=$4 mount=$5 umount=$6 mkfs=$7 resize=$8 losetup=$9 fsck=\${10} speed_file=\${11} speed=\${12} tune=\${13} spare=\${14} floor=\${15} purpose=\${16}
is_mounted() { grep -qF " $(printf %s "$data" | sed 's/ /\\\\040/g') " /proc/self/mounts; }
if [ ! -e "$image" ]; then
  is_mounted && { echo "something else is mounted at the workspace's folder" >&2; exit 1; }
  used=$(du -sm -- "$data" | cut -f1)
  [ "$mb" -ge $((used * 2)) ] || mb=$((used * 2))
  rm -f -- "$image.new"
  truncate -s "$mb"M -- "$image.new"
  "$mkfs" -q -F -m 0 -E "lazy_itable_init=1,lazy_journal_init=1,nodiscard,root_owner=$id:$id" -- "$image.new"
  if [ -n "$(ls -A -- "$data")" ]; then
    mkdir -p -- "$data.new"
    "$umount" -- "$data.new" 2>/dev/null || :
    "$mount" -o loop,nosuid,nodev -- "$image.new" "$data.new"
    cp -a -- "$data/." "$data.new/"
    "$umount" -- "$data.new"
    rmdir -- "$data.new"
  fi
  mv -f -- "$image.new" "$image"
fi
# A repair or growth on a host without room fails halfway, and leaves the disk unmounted.
is_short() { [ "$(stat -f -c '%a %S' -- "$image" | { read -r blocks size; echo $((blocks * size / 1048576)); })" -lt "$floor" ]; }
refuse() { echo "no space left on the host's disk for the repair of $image" >&2; exit 1; }
# A disk that is mounted anywhere, in the sandbox of a running workspace too, has a loop device. Waits up to two seconds.
is_free() {
  tries=0
  while [ -n "$("$losetup" -n -O NAME -j "$image")" ]; do
    [ $tries -lt 40 ] || return 1
    sleep 0.05
    tries=$((tries + 1))
  done
}
# After an error, such as the host's full disk, a file system takes no writes until it is checked, which needs a disk that nobody uses.
options_of() { grep -F " $(printf %s "$data" | sed 's/ /\\\\040/g') " /proc/self/mounts | tail -n 1 | cut -d ' ' -f 4; }
check() { "$fsck" -fp -- "$image" || [ $? -le 1 ] || "$fsck" -fy -- "$image" || [ $? -le 2 ]; }
# Without its journal, which may be what is damaged; something that still uses it may keep it from being mounted so.
mount_to_read() {
  "$mount" -t ext4 -o loop,nosuid,nodev,ro,noload -- "$image" "$data" 2>/dev/null || "$mount" -t ext4 -o loop,nosuid,nodev -- "$image" "$data"
  exit 0
}
repair() {
  if is_free; then check; return; fi
  # What it holds can be copied all the same.
  [ "$purpose" != reading ] || mount_to_read
  echo "the disk $image waits for a repair, and something on this host still uses it" >&2
  exit 1
}
case ",$(options_of)," in
*,ro,*|*,emergency_ro,*|*,shutdown,*)
  ! is_short || refuse
  "$umount" -- "$data" 2>/dev/null || "$umount" -l -- "$data"
  repair
  ;;
*)
  if ! is_mounted && "$tune" -l "$image" | grep -q '^Filesystem state:.*errors'; then
    if is_short; then
      [ "$purpose" = reading ] || refuse
      # What it holds can be copied, and the next start repairs it.
      mount_to_read
    fi
    repair
  fi
  ;;
esac
# What is its own of a disk with spare room, in bytes; without such room that is all of it. Written before the disk grows.
own=$(cat -- "$image.own" 2>/dev/null || stat -c %s -- "$image")
# A disk can grow only while nothing uses it.
if [ "$own" -lt $((mb * 1048576)) ] || [ -e "$image.grow" ] || { [ "$spare" = lent ] && [ ! -e "$image.own" ]; }; then
  ! is_mounted || "$umount" -- "$data"
  if ! is_free; then
    :
  elif is_short; then
    # It works as large as it is, unless its growth was interrupted.
    [ ! -e "$image.grow" ] || refuse
  else
    : > "$image.grow"
    [ "$own" -ge $((mb * 1048576)) ] || own=$((mb * 1048576))
    whole=$own
    if [ "$spare" = lent ] || [ -e "$image.own" ]; then
      echo "$own" > "$image.own.new" && mv -f -- "$image.own.new" "$image.own"
      whole=$((own * 2))
    fi
    check
    "$resize" "$image" $((whole / 1024))K
    # A little less than was added, for what the larger file system needs for itself.
    "$tune" -r $(((whole - own) / 16 * 15 / $("$tune" -l "$image" | sed -n 's/^Block size: *//p'))) "$image" >/dev/null
    rm -f -- "$image.grow"
  fi
fi
if ! is_mounted; then
  if [ -n "$(ls -A -- "$data")" ]; then rm -rf -- "$data.old"; mv -- "$data" "$data.old"; mkdir -- "$data"; fi
  # mount uses the loop device that the file has, if it has one.
  "$mount" -t ext4 -o loop,nosuid,nodev,discard,errors=remount-ro -- "$image" "$data"
  chmod 0700 -- "$data"
  rm -rf -- "$data/lost+found"
fi
rm -rf -- "$data.old"
lent=$(grep -F " $(printf %s "$data" | sed 's/ /\\\\040/g') " /proc/self/mounts | grep -c resuid=) || :
if [ "$spare" = lent ]; then "$mount" -o "remount,resuid=$id" "$data"; elif [ "$lent" != 0 ]; then "$mount" -o remount,resuid=0 "$data"; fi
${setSpeed}`;

/** A folder mounted twice needs more than a plain unmount; a process that still reads it keeps its view until it is done. */
const unmountScript = `
data=$1 umount=$2 image=$3 losetup=$4 speed_file=$5 speed=$6
# The bound is the device's, and the next file that it is used for may be anybody's.
${setSpeed}is_mounted() { grep -qF " $(printf %s "$data" | sed 's/ /\\\\040/g') " /proc/self/mounts; }
tries=0
while is_mounted && [ $tries -lt 8 ]; do "$umount" -- "$data" 2>/dev/null || "$umount" -l -- "$data"; tries=$((tries + 1)); done
! is_mounted
`;

interface Disk {
  /** The file that holds the disk. */
  image: string;
  /** The folder it is mounted at, which must exist. */
  folder: string;
  mb: number;
  /** Owner of its root folder. */
  uid: number;
  /** Lets the owner use the spare room, until the disk is mounted without it. */
  lendsSpare?: boolean;
}

/** The workspace's data, for its user. */
export const dataDisk = ({ disk, data }: WorkspacePaths, { uid }: Owner, mb: number): Disk => ({ image: disk, folder: data, mb, uid });

/**
 * The workspace's output, accessible only to the driver. A workspace has its output file open, and can reserve space beyond its end that no
 * limit on file sizes counts: on the host's disk, that could be all there is.
 */
export const logDisk = ({ logDisk: image, logs }: WorkspacePaths): Disk => ({ image, folder: logs, mb: 64, uid: 0 });

/** The host's floor in MB, below which nothing is repaired or grown, and whether the disk is only to be read. */
interface MountHow {
  floorMb: number;
  forReading?: boolean;
}

/**
 * Creates the disk if needed, repairs it if it met an error, grows it to its size, and mounts it with its spare room lent or reserved. Safe
 * to repeat. On a host without room a broken disk is mounted only for reading; otherwise it throws, with "no space left" in the message.
 */
export async function mountDisk(
  tools: SandboxTools,
  paths: WorkspacePaths,
  { image, folder, mb, uid, lendsSpare = false }: Disk,
  { floorMb, forReading = false }: MountHow,
): Promise<void> {
  const args = [
    image,
    folder,
    String(mb),
    String(uid),
    tools.mount,
    tools.umount,
    tools.mkfs,
    tools.resize,
    tools.losetup,
    tools.fsck,
    ...speedOf(tools, "bound"),
    tools.tune,
    lendsSpare ? "lent" : "kept",
    String(floorMb),
    forReading ? "reading" : "use",
  ];
  await underLock(tools, paths, mountScript, args, prepareTimeoutMs);
}

/** Unmounts a disk from its folder; does nothing if it is not mounted or does not exist. */
export async function unmountDisk(
  tools: SandboxTools,
  paths: WorkspacePaths,
  { image, folder }: Pick<Disk, "image" | "folder">,
): Promise<void> {
  if (await isFile(image))
    await underLock(tools, paths, unmountScript, [folder, tools.umount, image, tools.losetup, ...speedOf(tools, "none")], unmountTimeoutMs);
}

/** Bytes that a disk without spare room gains when it is lent: as much as it has now. */
export async function spareToCome({ disk }: WorkspacePaths): Promise<number> {
  if (await isFile(`${disk}.own`)) return 0;
  return (await stat(disk)).size;
}

function speedOf({ controllers }: SandboxTools, which: "bound" | "none"): string[] {
  const speed = writeSpeed(controllers, bytesPerSecond);
  return speed ? [speed.file, speed[which]] : ["", ""];
}

/** Whether this workspace's data is on its own disk. */
export const hasDisk = ({ disk }: WorkspacePaths): Promise<boolean> => isFile(disk);

/** Whether its output is on its own disk. */
export const hasLogDisk = ({ logDisk: image }: WorkspacePaths): Promise<boolean> => isFile(image);

async function isFile(file: string): Promise<boolean> {
  try {
    return (await stat(file)).isFile();
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR")) return false;
    throw error;
  }
}

function underLock(tools: SandboxTools, paths: WorkspacePaths, script: string, args: readonly string[], timeoutMs: number): Promise<void> {
  return runProgram({ program: tools.flock, args: [paths.diskLock, "/bin/sh", "-c", script, "sh", ...args], timeoutMs });
}
