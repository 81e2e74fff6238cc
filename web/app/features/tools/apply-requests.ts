import { send, UNREACHABLE } from '../../http/browser-client';
import type { ProblemView } from '../../http/problem';
import { type Choices, fieldsOf } from './choices';
import type { ToolsForm } from './tools-form';

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

export async function sendTools(order: ToolsOrder, intent: ToolsForm['intent']): Promise<OrderAnswer> {
  const { taskId, bulkUploadId, choices, keepLocation } = order;
  const { body, problem } = await send<Applied>(TOOLS_ACTION, {
    ...fieldsOf(choices),
    taskId,
    bulkUploadId,
    intent,
    ...(keepLocation ? { keepLocation: 'yes' } : {}),
    replaces: 'yes',
  });
  return problem ? { problem: problem === UNREACHABLE ? 'unreachable' : problem } : body;
}
