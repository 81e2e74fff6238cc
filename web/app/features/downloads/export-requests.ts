import type { ErrorCode } from '@clearframe/contract';
import { send, UNREACHABLE } from '../../http/browser-client';

/** No response, or a proxy's. */
export type ExportFailure = ErrorCode | 'unreachable';

export type Exported = { readonly downloadUrl: string } | { readonly problem: ExportFailure };

/** Longer than the server waits for the file. */
const TIMEOUT_MS = 40_000;

export async function sendExport(address: string, form: FormData): Promise<Exported> {
  const { body, problem } = await send<{ readonly downloadUrl: string }>(address, form, TIMEOUT_MS);
  return problem ? { problem: problem === UNREACHABLE ? 'unreachable' : problem.code } : body;
}
