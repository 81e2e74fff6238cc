export interface UploadRules {
  /** `accept` attribute of the file input. */
  readonly accept: string;
  /** Maximum file size. */
  readonly megabytes: number;
}
