import { S3ServiceException } from '@aws-sdk/client-s3';

const hasStatus = (error: unknown, status: number): boolean =>
  error instanceof S3ServiceException && error.$metadata.httpStatusCode === status;

/** A missing bucket also has status 404; that is not meant. */
export const isMissing = (error: unknown): boolean =>
  hasStatus(error, 404) && error instanceof Error && error.name !== 'NoSuchBucket';

export const isPreconditionFailed = (error: unknown): boolean => hasStatus(error, 412);

/** Another conditional write to the key is in progress. */
export const isConflict = (error: unknown): boolean => hasStatus(error, 409);

export const isInvalidRange = (error: unknown): boolean => hasStatus(error, 416);
