import type { ErrorCode } from '@clearframe/contract';
import type { ProblemView } from '../../../../http/problem';

/** No response, or a proxy's. */
export type ExportFailure = ErrorCode | 'unreachable';

export type Exported = { readonly downloadUrl: string } | { readonly problem: ExportFailure };

/** Answer to the page's script: the file's URL, or the API's problem. */
interface ExportResponse {
  readonly downloadUrl?: string;
  readonly problem?: ProblemView;
}

/** Longer than the server waits for the file. */
const TIMEOUT_MS = 40_000;

/** An ended session reloads the page, which starts the login. */
export async function sendExport(address: string, form: FormData): Promise<Exported> {
  const body = new URLSearchParams();
  for (const [name, value] of form) if (typeof value === 'string') body.append(name, value);
  body.set('byScript', 'yes');
  try {
    const response = await fetch(address, { method: 'POST', body, signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (response.status === 401) window.location.reload();
    const { downloadUrl, problem }: ExportResponse = await response.json();
    return response.ok && downloadUrl ? { downloadUrl } : { problem: problem?.code ?? 'unreachable' };
  } catch {
    return { problem: 'unreachable' };
  }
}
