"""Shell commands that make a machine of its own out of some namespaces, and start what every box has.

The box sees the file systems of this machine read-only, with layers of its own over those folders that programs write
to, so that stock programs work at their stock paths and nothing inside can change this machine. The layers are in
memory and go with the lab.
"""

from __future__ import annotations

from fabric.lab.model import LINKS_FILE, OWN, SYSCTL_CONF

LAYERED = ("etc", "var", "root", "usr/local", "opt", "srv")
"""What a box may write to: its files stand over those of this machine."""

# $1: host name, $2: the box's own folder, in memory. The first process of a box: it reports its number as this machine
# counts, and collects what daemons leave behind.
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
    mkdir -p "$2/upper/$folder" "$2/work/$folder"
    mount -t overlay overlay -o "lowerdir=/$folder,upperdir=$2/upper/$folder,workdir=$2/work/$folder" "/$folder"
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

# Once the links are there.
START = f"""
set -e
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
sysctl -q -e -p {SYSCTL_CONF}
ip -batch {LINKS_FILE}
[ -e {OWN}/host_key ] || ssh-keygen -q -t ed25519 -N '' -C '' -f {OWN}/host_key
sed -i 's/^root:[^:]*/root:*/' /etc/shadow
for file in .bashrc .profile .bash_profile; do : >"/root/$file"; done
/usr/sbin/sshd -f {OWN}/sshd_config
"""
# A locked account may not log in, even with a key; and what a shell of this machine starts with costs each command
# some 100 ms in places.

LLDP = """
/usr/sbin/lldpd -I "$1" -S "fabric lab"
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
