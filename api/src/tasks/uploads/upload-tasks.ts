import type { ImageContentType, InvalidCode } from '@clearframe/contract';
import type { Expectation } from './upload-gate.js';

/** What was said about a file before its bytes came. */
export type PromisedUpload = Omit<Expectation, 'maxBytes'>;

/** What the bytes turned out to be. */
export interface ReceivedUpload {
  readonly sizeBytes: number;
  readonly contentType: ImageContentType;
}

/** What the uploads room needs to know of tasks; the tasks room provides it. */
export abstract class UploadTasks {
  /**
   * Notes that bytes for a task are arriving and says what was promised about them. The task does not expire meanwhile.
   * @throws AppError `uploads.not_found`, `uploads.closed`
   */
  abstract beginUpload(taskId: string): Promise<PromisedUpload>;
  /** Notes that bytes were refused or broke off: they may be sent again until the address expires. */
  abstract abortUpload(taskId: string, addressExpiresAt: Date): Promise<void>;
  /** Notes that they have arrived. False when the task has stopped taking bytes meanwhile. */
  abstract finishUpload(taskId: string, received: ReceivedUpload): Promise<boolean>;
  /** Notes why they were not taken, so that whoever starts work without better ones is told the same. */
  abstract refuseUpload(taskId: string, code: InvalidCode): Promise<void>;
}
