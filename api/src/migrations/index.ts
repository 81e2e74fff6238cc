import { Baseline1764300000000 } from './1764300000000-baseline.js';
import { DueDownloads1764360000000 } from './1764360000000-due-downloads.js';
import { ServiceStatus1764371100000 } from './1764371100000-service-status.js';
import { TestKeys1764372000000 } from './1764372000000-test-keys.js';
import { WebhookEndpoints1764372100000 } from './1764372100000-webhook-endpoints.js';
import { RemoteFiles1764372900000 } from './1764372900000-remote-files.js';
import { UploadTokens1764375000000 } from './1764375000000-upload-tokens.js';
import { KeyDays1764376000000 } from './1764376000000-key-days.js';
import { KeyChoices1764377000000 } from './1764377000000-key-choices.js';
import { UploadTokenTasks1764378000000 } from './1764378000000-upload-token-tasks.js';
import { Masks1764379000000 } from './1764379000000-masks.js';
import { MasksOfUploads1764380000000 } from './1764380000000-masks-of-uploads.js';
import { OperationMetrics1764381500000 } from './1764381500000-operation-metrics.js';
import { ToolsOfKeyDays1764382000000 } from './1764382000000-tools-of-key-days.js';
import { TracesOfRuns1764383000000 } from './1764383000000-traces-of-runs.js';
import { TurnsOfRuns1764384000000 } from './1764384000000-turns-of-runs.js';
import { ReceiptSellers1764386000000 } from './1764386000000-receipt-sellers.js';

/** In order of execution. */
export const MIGRATIONS = [
  Baseline1764300000000,
  DueDownloads1764360000000,
  ServiceStatus1764371100000,
  TestKeys1764372000000,
  WebhookEndpoints1764372100000,
  RemoteFiles1764372900000,
  UploadTokens1764375000000,
  KeyDays1764376000000,
  KeyChoices1764377000000,
  UploadTokenTasks1764378000000,
  Masks1764379000000,
  MasksOfUploads1764380000000,
  OperationMetrics1764381500000,
  ToolsOfKeyDays1764382000000,
  TracesOfRuns1764383000000,
  TurnsOfRuns1764384000000,
  ReceiptSellers1764386000000,
];
