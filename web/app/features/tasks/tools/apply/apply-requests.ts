import type { ProblemView } from '../../../../http/problem';
import { type Choices, fieldsOf } from '../choices/choices';
import type { ToolsForm } from '../choices/tools-form';

export interface Applied {
  /** A tool isn't in the plan: the result is a preview. */
  readonly isPreview: boolean;
  /** There was no run to cancel: it had ended. */
  readonly isTooLate: boolean;
}

/** No response, or a proxy's. */
export type ApplyProblem = ProblemView | 'unreachable';

export type OrderAnswer = Applied | { readonly problem: ApplyProblem };

export interface ToolsOrder {
  readonly taskId: string;
  readonly bulkUploadId: string;
  readonly choices: Choices;
  readonly keepLocation: boolean;
}

export const TOOLS_ACTION = '/result/tools';

const TIMEOUT_MS = 15_000;

/** An ended session reloads the page, which starts the login. */
export async function sendTools(order: ToolsOrder, intent: ToolsForm['intent']): Promise<OrderAnswer> {
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
    return answerIn(await response.json(), response.ok);
  } catch {
    return { problem: 'unreachable' };
  }
}

/** Checked by hand: the result page loads no schemas. */
function answerIn(answer: unknown, isApplied: boolean): OrderAnswer {
  if (typeof answer !== 'object' || answer === null) return { problem: 'unreachable' };
  if (isApplied && 'isPreview' in answer && 'isTooLate' in answer)
    return { isPreview: answer.isPreview === true, isTooLate: answer.isTooLate === true };
  return { problem: !isApplied && 'problem' in answer && isProblem(answer.problem) ? answer.problem : 'unreachable' };
}

const isProblem = (value: unknown): value is ProblemView =>
  typeof value === 'object' && value !== null && 'code' in value && typeof value.code === 'string';
