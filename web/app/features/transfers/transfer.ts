import type { ProblemView } from '../../http/problem';

/** Where and how the page's script sends a file; contains no token. */
export interface UploadTicket {
  readonly bulkUploadId: string | null;
  readonly taskId: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** For a resumable upload by tus; null for small files. */
  readonly resumableUrl: string | null;
}

/** A ticket with the browser's time when it was received. */
export interface ReceivedTicket extends UploadTicket {
  readonly receivedAt: number;
}

/**
 * - `offline`: waits for the network
 * - `reconnecting`: a request failed while the browser was online; repeated after a pause
 * - `checking`: all bytes are sent, processing is being started
 * - `sent`: processing has started
 * - `needsFile`: the page was reloaded and the browser did not keep the file, see `provideFile`
 */
export type TransferState =
  | 'waiting'
  | 'sending'
  | 'paused'
  | 'offline'
  | 'reconnecting'
  | 'checking'
  | 'sent'
  | 'failed'
  | 'needsFile';

export interface Transfer {
  readonly bulkUploadId: string | null;
  /** Uploaded alone, from the home page. */
  readonly isSingle: boolean;
  /** Pausing keeps the bytes that were sent. */
  readonly isResumable: boolean;
  readonly fileName: string;
  readonly size: number;
  /** Fraction of the bytes sent, 0..1. */
  readonly sent: number;
  readonly state: TransferState;
  /** Only when `failed`. */
  readonly problem: ProblemView | null;
  /** Object URL of the file, until the transfer is forgotten; null without the file. */
  readonly preview: string | null;
}

/** Transfers by task id, in the order of the files. */
export type Transfers = ReadonlyMap<string, Transfer>;

export type UploadPhase = 'preparing' | 'sending' | 'paused' | 'checking' | 'offline' | 'reconnecting';

export interface UploadOptions {
  readonly signal: AbortSignal;
  /**
   * @param sent fraction of the bytes, 0..1
   * @param pausableId id of the task, if pausing keeps what was sent
   */
  readonly onChange: (phase: UploadPhase, sent: number, pausableId: string | null) => void;
}

/** The upload was rejected, or the connection failed repeatedly. */
export class UploadError extends Error {
  override readonly name = 'UploadError';

  readonly problem: ProblemView;

  constructor(problem: ProblemView) {
    super(problem.code);
    this.problem = problem;
  }
}
