import { MainJob1763712000000 } from './1763712000000-main-job.js';
import { Accounts1763720000000 } from './1763720000000-accounts.js';
import { Identity1763730000000 } from './1763730000000-identity.js';
import { SandboxPayments1763800000000 } from './1763800000000-sandbox-payments.js';
import { Billing1763810000000 } from './1763810000000-billing.js';
import { Renditions1763820000000 } from './1763820000000-renditions.js';
import { Settings1763830000000 } from './1763830000000-settings.js';
import { StaffAndGifts1763840000000 } from './1763840000000-staff-and-gifts.js';
import { Languages1763850000000 } from './1763850000000-languages.js';
import { Checkouts1763900000000 } from './1763900000000-checkouts.js';
import { WalletApprovals1763910000000 } from './1763910000000-wallet-approvals.js';
import { GiftStarts1763920000000 } from './1763920000000-gift-starts.js';
import { TrialMemory1763920000001 } from './1763920000001-trial-memory.js';
import { Receipts1763920000002 } from './1763920000002-receipts.js';
import { MailOwners1763930000000 } from './1763930000000-mail-owners.js';
import { PersonalDataIndexes1763930000001 } from './1763930000001-personal-data-indexes.js';
import { PictureLinks1763930000002 } from './1763930000002-picture-links.js';
import { WorkAttempts1763940000000 } from './1763940000000-work-attempts.js';
import { MailSecrets1763940000001 } from './1763940000001-mail-secrets.js';
import { NextChecks1763940000002 } from './1763940000002-next-checks.js';
import { SandboxIdentity1763940000003 } from './1763940000003-sandbox-identity.js';
import { UploadExpiry1763942000000 } from './1763942000000-upload-expiry.js';
import { Runs1763950000000 } from './1763950000000-runs.js';
import { KeepLocation1763960000000 } from './1763960000000-keep-location.js';
import { ProgressAndLooks1763962000000 } from './1763962000000-progress-and-looks.js';
import { Originals1763971000000 } from './1763971000000-originals.js';
import { TaskLists1763971000001 } from './1763971000001-task-lists.js';
import { Sharings1763972000000 } from './1763972000000-sharings.js';
import { Videos1763974000000 } from './1763974000000-videos.js';
import { SandboxCards1763980000000 } from './1763980000000-sandbox-cards.js';
import { SandboxWallet1763981000000 } from './1763981000000-sandbox-wallet.js';
import { MailHtml1763983000000 } from './1763983000000-mail-html.js';
import { SandboxIdentityServer1763984000000 } from './1763984000000-sandbox-identity-server.js';
import { Consents1763985000000 } from './1763985000000-consents.js';
import { SandboxMobileServer1763986000000 } from './1763986000000-sandbox-mobile-server.js';
import { WebEvents1763992000000 } from './1763992000000-web-events.js';
import { PluginKeys1763994000000 } from './1763994000000-plugin-keys.js';
import { Experiments1763995000000 } from './1763995000000-experiments.js';
import { SupportRequests1763997800000 } from './1763997800000-support-requests.js';
import { DuplicatePayments1763998000000 } from './1763998000000-duplicate-payments.js';
import { RunReasons1763999500000 } from './1763999500000-run-reasons.js';
import { ConsentsWithoutAddress1764010400000 } from './1764010400000-consents-without-address.js';
import { RunDurations1764010500000 } from './1764010500000-run-durations.js';
import { IdempotencyClaims1764020000000 } from './1764020000000-idempotency-claims.js';
import { EmailLookups1764020000001 } from './1764020000001-email-lookups.js';
import { PendingDeletions1764100000000 } from './1764100000000-pending-deletions.js';
import { PayerEmails1764110000000 } from './1764110000000-payer-emails.js';
import { PaidExports1764210000000 } from './1764210000000-paid-exports.js';
import { EventIds1764220000000 } from './1764220000000-event-ids.js';
import { LastDispatchedRuns1764230000000 } from './1764230000000-last-dispatched-runs.js';
import { SupportEventIds1764232000000 } from './1764232000000-support-event-ids.js';
import { FirstChargeRetries1764240000000 } from './1764240000000-first-charge-retries.js';
import { MeasuredDurations1764250000000 } from './1764250000000-measured-durations.js';

/** In order of execution. */
export const MIGRATIONS = [
  MainJob1763712000000,
  Accounts1763720000000,
  Identity1763730000000,
  SandboxPayments1763800000000,
  Billing1763810000000,
  Renditions1763820000000,
  Settings1763830000000,
  StaffAndGifts1763840000000,
  Languages1763850000000,
  Checkouts1763900000000,
  WalletApprovals1763910000000,
  GiftStarts1763920000000,
  TrialMemory1763920000001,
  Receipts1763920000002,
  MailOwners1763930000000,
  PersonalDataIndexes1763930000001,
  PictureLinks1763930000002,
  WorkAttempts1763940000000,
  MailSecrets1763940000001,
  NextChecks1763940000002,
  SandboxIdentity1763940000003,
  UploadExpiry1763942000000,
  Runs1763950000000,
  KeepLocation1763960000000,
  ProgressAndLooks1763962000000,
  Originals1763971000000,
  TaskLists1763971000001,
  Sharings1763972000000,
  Videos1763974000000,
  SandboxCards1763980000000,
  SandboxWallet1763981000000,
  MailHtml1763983000000,
  SandboxIdentityServer1763984000000,
  Consents1763985000000,
  SandboxMobileServer1763986000000,
  WebEvents1763992000000,
  PluginKeys1763994000000,
  Experiments1763995000000,
  SupportRequests1763997800000,
  DuplicatePayments1763998000000,
  RunReasons1763999500000,
  ConsentsWithoutAddress1764010400000,
  RunDurations1764010500000,
  IdempotencyClaims1764020000000,
  EmailLookups1764020000001,
  PendingDeletions1764100000000,
  PayerEmails1764110000000,
  PaidExports1764210000000,
  EventIds1764220000000,
  LastDispatchedRuns1764230000000,
  SupportEventIds1764232000000,
  FirstChargeRetries1764240000000,
  MeasuredDurations1764250000000,
];
