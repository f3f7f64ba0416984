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

LLDP_PORTS = "!eth*,*"
"""Every port but that of management, as lldpd takes it."""

# $1: ports of lldpd. A locked account may not log in, even with a key; and what a shell of this machine starts with
# costs each command some 100 ms in places.
DAEMONS_START = f"""
set -e
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
/usr/sbin/sshd -f {OWN}/sshd_config
/usr/sbin/lldpd -I "$1" -S "fabric lab"
"""
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

DAEMONS = ("sshd", "lldpd")
"""Programs that every box has."""
REVIVE = {
    "sshd": f"/usr/sbin/sshd -f {OWN}/sshd_config",
    "lldpd": 'rm -f /run/lldpd.socket /run/lldpd.pid; /usr/sbin/lldpd -I "$1" -S "fabric lab"',
}

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
rm -f /run/lldpd.socket /run/lldpd.pid /run/sshd.pid
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

# $1: commands, $2: their argument. Daemons keep what they were started with: a file, not our pipe.
LOGGED = """
log=/run/lab-start.log
sh -c "$1" sh "$2" >"$log" 2>&1 </dev/null || { status=$?; tail -n 3 "$log" >&2; exit "$status"; }
"""
