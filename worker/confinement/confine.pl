# Runs a program without rights that decoding a picture doesn't need:
#   perl confine.pl [--limit NAME=NUMBER]... [--run FILE]... [--read PATH]... [--write FOLDER]... -- PROGRAM...
# Needs no rights itself, so that it also works in containers, where `unshare` doesn't. Linux on x86-64 and arm64; Perl is part of
# Debian's base system, and calls the kernel without a compiler. Prints to stderr and ends with 70 if a step fails.
use strict;
use warnings;
use POSIX ();

sub fail { print STDERR "confine: $_[0]: $!\n"; exit 70 }

my %given = map { $_ => [] } qw(--limit --run --read --write);
while (@ARGV and (my $option = shift) ne '--') {
  push @{ $given{$option} // fail($option) }, shift;
}

my $is_arm = (POSIX::uname())[4] eq 'aarch64';
# asm/unistd.h: x86-64, arm64.
my %calls = (
  # Networks and other processes.
  socket => [41, 198], ptrace => [101, 117], process_vm_readv => [310, 270], process_vm_writev => [311, 271],
  kill => [62, 129], tkill => [200, 130], rt_sigqueueinfo => [129, 138], rt_tgsigqueueinfo => [297, 240],
  pidfd_open => [434, 434], pidfd_send_signal => [424, 424], pidfd_getfd => [438, 438], kcmp => [312, 272],
  # Rings carry out calls that filters don't see.
  io_uring_setup => [425, 425], io_uring_enter => [426, 426], io_uring_register => [427, 427],
  # More of the kernel than pictures need.
  bpf => [321, 280], perf_event_open => [298, 241], userfaultfd => [323, 282], keyctl => [250, 219], add_key => [248, 217],
  request_key => [249, 218], unshare => [272, 97], setns => [308, 268], mount => [165, 40], umount2 => [166, 39],
  pivot_root => [155, 41], chroot => [161, 51], open_by_handle_at => [304, 265], name_to_handle_at => [303, 264],
  init_module => [175, 105], finit_module => [313, 273], delete_module => [176, 106], kexec_load => [246, 104],
  kexec_file_load => [320, 294], reboot => [169, 142], swapon => [167, 224], acct => [163, 89], personality => [135, 92],
  # Also allowed on other processes of the same user.
  setpriority => [141, 140], ioprio_set => [251, 30], sched_setaffinity => [203, 122], sched_setattr => [314, 274],
  sched_setscheduler => [144, 119], sched_setparam => [142, 118], migrate_pages => [256, 238], move_pages => [279, 239],
  process_madvise => [440, 440], process_mrelease => [448, 448],
);
my $number = sub { $_[0][$is_arm] };

# asm-generic/resource.h
my %resources = (cpu => 0, fsize => 1, data => 2, core => 4, nofile => 7);
my $PRLIMIT = $number->([302, 261]);
for my $limit (@{ $given{'--limit'} }) {
  my ($name, $value) = split /=/, $limit;
  syscall($PRLIMIT, 0, $resources{$name} // fail($limit), pack('Q2', $value, $value), 0) == 0 or fail($limit);
}

# linux/prctl.h
my ($PR_SET_PDEATHSIG, $PR_CAPBSET_READ, $PR_CAPBSET_DROP, $PR_SET_NO_NEW_PRIVS, $PR_SET_SECCOMP) = (1, 23, 24, 38, 22);
my $PRCTL = $number->([157, 167]);
my $SIGKILL = 9;
sub prctl { my @values = (@_, (0) x (5 - @_)); return syscall($PRCTL, @values) }

prctl($PR_SET_PDEATHSIG, $SIGKILL) == 0 or fail('parent');
# As root: the next program has no capability that isn't in the bounding set.
for (my $capability = 0; prctl($PR_CAPBSET_READ, $capability) >= 0; $capability++) {
  last if prctl($PR_CAPBSET_DROP, $capability) != 0;
}
prctl($PR_SET_NO_NEW_PRIVS, 1) == 0 or fail('privileges');

# linux/landlock.h: rights that a ruleset takes away unless a rule gives them back.
my ($EXECUTE, $WRITE_FILE, $READ_FILE, $READ_DIR, $REMOVE_FILE, $MAKE_REG, $TRUNCATE) = (1, 2, 4, 8, 32, 256, 1 << 14);
my ($CREATE_RULESET, $ADD_RULE, $RESTRICT_SELF, $VERSION, $PATH_BENEATH) = (444, 445, 446, 1, 1);
my @rights_of_version = (0, 0x1fff, 0x3fff, 0x7fff, 0x7fff, 0xffff);
my $version = syscall($CREATE_RULESET, 0, 0, $VERSION);
if ($version > 0) {
  my $handled = $rights_of_version[$version < 5 ? $version : 5];
  # Networks from version 4 on, abstract sockets and signals from 6 on; the filter below covers those of older kernels.
  my $attributes = pack 'Q3', $handled, $version >= 4 ? 3 : 0, $version >= 6 ? 3 : 0;
  my $ruleset = syscall($CREATE_RULESET, $attributes, $version >= 6 ? 24 : $version >= 4 ? 16 : 8, 0);
  $ruleset >= 0 or fail('ruleset');
  my $reading = $READ_FILE | $READ_DIR;
  my $writing = $READ_FILE | $READ_DIR | $WRITE_FILE | $REMOVE_FILE | $MAKE_REG | $TRUNCATE;
  my $of_files = $EXECUTE | $WRITE_FILE | $READ_FILE | $TRUNCATE;
  # A program is run by the system's loader.
  my @run = (@{ $given{'--run'} }, glob('/lib64/ld-* /lib/ld-*'));
  my %rights = ('--read' => $reading, '--write' => $writing);
  for my $rule ((map { [$_, $READ_FILE | $EXECUTE] } @run), map { my $to = $_; map { [$_, $rights{$to}] } @{ $given{$to} } } keys %rights) {
    my ($path, $rights) = @$rule;
    next unless -e $path;
    my $O_PATH = 010000000;
    my $fd = POSIX::open($path, $O_PATH) // fail($path);
    $rights &= $of_files unless -d $path;
    my $beneath = pack 'Ql', $rights & $handled, $fd;
    syscall($ADD_RULE, $ruleset, $PATH_BENEATH, $beneath, 0) == 0 or fail($path);
    POSIX::close($fd);
  }
  syscall($RESTRICT_SELF, $ruleset, 0) == 0 or fail('restriction');
  POSIX::close($ruleset);
}

# linux/filter.h, linux/seccomp.h. A program over { number, architecture, instruction pointer, arguments }.
my ($LOAD, $EQUAL, $AT_LEAST, $ANY_BIT, $RETURN) = (0x20, 0x15, 0x35, 0x45, 0x06);
my ($ALLOW, $REFUSE, $MISSING, $KILL) = (0x7fff0000, 0x00050001, 0x00050026, 0x80000000);
my ($NUMBER_AT, $ARCHITECTURE_AT, $FIRST_ARGUMENT_AT) = (0, 4, 16);
my $ARCHITECTURE = $is_arm ? 0xc00000b7 : 0xc000003e;
# New namespaces: every flag CLONE_NEW*.
my $NAMESPACES = 0x7e020080;
my ($clone, $clone3, $tgkill) = map { $number->($_) } [56, 220], [435, 435], [234, 131];
my @filter = (
  [$LOAD, 0, 0, $ARCHITECTURE_AT], [$EQUAL, 1, 0, $ARCHITECTURE], [$RETURN, 0, 0, $KILL],
  [$LOAD, 0, 0, $NUMBER_AT],
  # The 32-bit variant of x86-64 has numbers of its own.
  [$AT_LEAST, 0, 1, 0x40000000], [$RETURN, 0, 0, $KILL],
  (map { ([$EQUAL, 0, 1, $number->($_)], [$RETURN, 0, 0, $REFUSE]) } map { $calls{$_} } sort keys %calls),
  # Its flags are in memory. Libraries then use `clone`.
  [$EQUAL, 0, 1, $clone3], [$RETURN, 0, 0, $MISSING],
  [$EQUAL, 0, 4, $clone], [$LOAD, 0, 0, $FIRST_ARGUMENT_AT], [$ANY_BIT, 0, 1, $NAMESPACES], [$RETURN, 0, 0, $REFUSE],
  [$RETURN, 0, 0, $ALLOW],
  # The process itself only: `abort` sends a signal. Its id stays.
  (map { [$EQUAL, 0, 4, $_->[0]], [$LOAD, 0, 0, $FIRST_ARGUMENT_AT], [$EQUAL, 0, 1, $_->[1]], [$RETURN, 0, 0, $ALLOW],
    [$RETURN, 0, 0, $REFUSE] } [$tgkill, $$], [$PRLIMIT, 0]),
  [$RETURN, 0, 0, $ALLOW],
);
my $program = join '', map { my ($code, @rest) = @$_; pack 'SCCL', $code, @rest } @filter;
my $SECCOMP_MODE_FILTER = 2;
prctl($PR_SET_SECCOMP, $SECCOMP_MODE_FILTER, pack('Sx6P', scalar(@filter), $program)) == 0 or fail('filter');

# Tells the program whether files are confined, too.
$ENV{CONFINED_FILES} = $version > 0 ? 'true' : 'false';
exec { $ARGV[0] } @ARGV or fail($ARGV[0]);
