import type { AppLoadContext } from '@remix-run/node';
import { answering } from '../app/session/answers.server';

interface Args {
  readonly request: Request;
  readonly context: AppLoadContext;
  readonly params: Record<string, string>;
}

/** What a browser gets of a loader or an action that responds without a page. */
export const answerOf = (handler: (args: Args) => unknown, args: Args): Promise<Response> =>
  answering(handler as Parameters<typeof answering>[0])(args).catch((thrown: unknown) => thrown) as Promise<Response>;
