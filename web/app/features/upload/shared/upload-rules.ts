export interface UploadRules {
  /** `accept` attribute of the file input. */
  readonly accept: string;
  /** Maximum file size. */
  readonly megabytes: number;
}

/** Of the file input on the home page. */
export const FILE_INPUT_ID = 'upload-file';
