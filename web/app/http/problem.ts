import type { ErrorCode } from '@clearframe/contract';

/** What a visitor is told about a refusal: the code is translated, the id is quoted to support. */
export interface ProblemView {
  readonly code: ErrorCode;
  readonly requestId: string;
}
