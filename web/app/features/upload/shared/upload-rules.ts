/** What may be sent. */
export interface UploadRules {
  /** For the file input. */
  readonly accept: string;
  /** Largest file. */
  readonly megabytes: number;
}
