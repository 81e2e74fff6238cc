import type { ProblemView } from '../../../../http/problem';
import { type Choices, fieldsOf } from '../choices/choices';
import type { ToolsForm } from '../choices/tools-form';

/** Answer to the panel's script. */
export interface Applied {
  /** A tool isn't in the plan: the result is a preview. */
  readonly isPreview: boolean;
  /** There was no run to cancel: it had ended. */
  readonly isTooLate: boolean;
}

/** No answer, or a proxy's. */
export type ApplyProblem = ProblemView | 'unreachable';

export interface ToolsOrder {
  readonly taskId: string;
  readonly bulkUploadId: string;
  readonly choices: Choices;
  readonly keepLocation: boolean;
}

export const TOOLS_ACTION = '/result/tools';

const TIMEOUT_MS = 15_000;

/** Sends the panel's form. An ended session reloads the page, which starts the login. */
export async function sendTools(
  order: ToolsOrder,
  intent: ToolsForm['intent'],
): Promise<Applied | { readonly problem: ApplyProblem }> {
  const { taskId, bulkUploadId, choices, keepLocation } = order;
  const body = new URLSearchParams({
    ...fieldsOf(choices),
    taskId,
    bulkUploadId,
    intent,
    ...(keepLocation ? { keepLocation: 'yes' } : {}),
    byScript: 'yes',
    replaces: 'yes',
  });
  try {
    const response = await fetch(TOOLS_ACTION, { method: 'POST', body, signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (response.status === 401) window.location.reload();
    const answer = await response.json();
    return response.ok ? answer : { problem: answer.problem ?? 'unreachable' };
  } catch {
    return { problem: 'unreachable' };
  }
}
