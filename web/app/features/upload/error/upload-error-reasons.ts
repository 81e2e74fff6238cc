import type { ErrorCode } from '@clearframe/contract';

/** Why a picture can't be uploaded (spec 2, sections 5 and 8); part of the page's path. */
const UPLOAD_ERROR_REASONS = ['too_few_files', 'too_many_files', 'wrong_file_format', 'size'] as const;
export type UploadErrorReason = (typeof UPLOAD_ERROR_REASONS)[number];

/** Message keys of title and body. */
export const UPLOAD_ERROR_MESSAGES = {
  too_few_files: 'uploadError.tooFewFiles',
  too_many_files: 'uploadError.tooManyFiles',
  wrong_file_format: 'uploadError.wrongFileFormat',
  size: 'uploadError.size',
} as const satisfies Record<UploadErrorReason, string>;

/** Batches are not offered yet. */
export const FILES_PER_UPLOAD = 1;

export interface UploadErrorProps {
  readonly reason: UploadErrorReason;
}

export const isUploadErrorReason = (text: unknown): text is UploadErrorReason =>
  UPLOAD_ERROR_REASONS.some((reason) => reason === text);

const REASON_BY_CODE: Readonly<Partial<Record<ErrorCode, UploadErrorReason>>> = {
  'uploads.missing': 'too_few_files',
  'batch.not_in_plan': 'too_many_files',
  'batch.too_many_files': 'too_many_files',
  'uploads.unsupported_type': 'wrong_file_format',
  'uploads.too_large': 'size',
};

/** The reason for an error code, or null when the error is not about the files. */
export const uploadErrorReasonOf = (code: ErrorCode): UploadErrorReason | null => REASON_BY_CODE[code] ?? null;
