"""Shell commands that make a machine of its own out of some namespaces, and start what every box has.

The box sees the file systems of this machine read-only, with layers of its own over those folders that programs write
to, so that stock programs work at their stock paths and nothing inside can change this machine. The layers are in
memory and go with the lab.
"""

from __future__ import annotations

from fabric.lab.model import LINKS_FILE, OWN, SYSCTL_CONF

LAYERED = ("etc", "var", "root", "usr/local", "opt", "srv")
"""What a box may write to: its files stand over those of this machine."""

# $1: host name, $2: the box's own folder, in memory; then folders of this machine, each with its place in the box.
# The first process of a box: it reports its number as this machine counts, and collects what daemons leave behind.
FIRST_PROCESS = f"""
set -eu
hostname "$1"
cd "$2"
read -r pid _ </proc/self/stat
while read -r _ _ _ _ where _; do
    case $where in
    /dev*|/proc*|/sys*|/run*|"${{2%/*}}"*) ;;
    *) mount -o remount,bind,ro "$where" 2>/dev/null || : ;;
    esac
done </proc/self/mountinfo
for folder in {" ".join(LAYERED)}; do
    [ -d "/$folder" ] || continue
    mkdir -p "$2/upper/$folder" "$2/scratch/$folder"
    mount -t overlay overlay -o "lowerdir=/$folder,upperdir=$2/upper/$folder,workdir=$2/scratch/$folder" "/$folder"
done
shift 2
while [ $# -gt 1 ]; do
    mkdir -p "$2"
    mount --bind "$1" "$2"
    shift 2
done
mount -t tmpfs -o mode=1777 tmpfs /tmp
mount -t tmpfs -o mode=755 tmpfs /run
mkdir -p /run/sshd /run/lock /run/lldpd
mount -t sysfs sysfs /sys
mount -t proc proc /proc
echo "$pid" >pid
touch ready
while :; do
    sleep 1000000 &
    wait $! || :
done
"""

DAEMONS = {
    "sshd": f"/usr/sbin/sshd -D -f {OWN}/sshd_config",
    "lldpd": '/usr/sbin/lldpd -d -I "!eth*,*" -S "fabric lab"',
}
"""Programs that every box has, and what runs each in the foreground. lldpd takes every port but that of management."""


def started(daemon: str) -> str:
    """Starts a daemon under a watchdog, as a machine's service manager is one: whatever ends it, it comes again.

    Nothing is done where it has one already. lldpd 1.0.16 ends by itself now and then when a port goes, as it does
    where a cable is moved.
    """
    kept = (
        f"rm -f /run/{daemon}.pid /run/{daemon}.socket; {DAEMONS[daemon]} >>/run/{daemon}.log 2>&1 </dev/null"
    )
    watched = f"setsid sh -c 'echo $$ >/run/{daemon}.watchdog; while :; do {kept}; sleep 1; done'"
    return f"[ -e /run/{daemon}.watchdog ] || {watched} &\n"


def stopped(daemon: str) -> str:
    """Ends the watchdog of a daemon, not yet the daemon."""
    return f"kill -9 $(cat /run/{daemon}.watchdog); rm -f /run/{daemon}.watchdog"


# Until both can be asked, for a minute.
DAEMONS_START = f"""
set -e
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
{"".join(map(started, DAEMONS))}
tries=600
until [ -s /run/sshd.pid ] && [ -S /run/lldpd.socket ]; do
    tries=$((tries - 1))
    [ $tries -gt 0 ] || {{ cat /run/sshd.log /run/lldpd.log >&2; exit 1; }}
    sleep 0.1
done
"""
# A locked account may not log in, even with a key; and what a shell of this machine starts with costs each command some
# 100 ms in places.
START = f"""
set -e
sysctl -q -e -p {SYSCTL_CONF}
ip -batch {LINKS_FILE}
ssh-keygen -q -t ed25519 -N '' -C '' -f {OWN}/host_key
sed -i 's/^root:[^:]*/root:*/' /etc/shadow
for file in .bashrc .profile .bash_profile; do : >"/root/$file"; done
{DAEMONS_START}
"""
"""Of a new box, once its links are there."""

# $1: program. By the numbers of the box's own processes: nobody else is in its process namespace.
KILL = """
for stat in /proc/[0-9]*/stat; do
    read -r pid name _ 2>/dev/null <"$stat" || continue
    [ "$name" != "($1)" ] || kill -9 "$pid"
done
"""
# Until only the first process, what it waits for, and we are left: a signal takes its time.
KILL_ALL = """
left=1
while [ "$left" ]; do
    left=
    for stat in /proc/[0-9]*/stat; do
        read -r pid name state parent _ 2>/dev/null <"$stat" || continue
        case "$pid $name $parent $state" in
        "1 "* | "$$ "* | *" (sleep) 1 "* | *" Z") ;;
        *) left=1 && kill -9 "$pid" 2>/dev/null ;;
        esac
    done
done
rm -f /run/lldpd.socket /run/sshd.pid /run/*.watchdog
"""

SSHD_CONFIG = f"""\
Port 22
ListenAddress {{address}}
HostKey {OWN}/host_key
AuthorizedKeysFile {OWN}/authorized_keys
PidFile /run/sshd.pid
StrictModes no
UsePAM no
UseDNS no
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin prohibit-password
MaxStartups 200:30:400
PrintMotd no
LogLevel ERROR
Subsystem sftp internal-sftp
"""

# $1: commands. Daemons keep what they were started with: a file, not our pipe.
LOGGED = """
log=/run/lab-start.log
sh -c "$1" >"$log" 2>&1 </dev/null || { status=$?; tail -n 3 "$log" >&2; exit "$status"; }
"""
