import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type ServerBuild } from '@remix-run/node';
import { isByScript } from '../http/answer.server';
import { asApiError, problemPage, problemResponse } from '../http/problem.server';
import { type Exchange, startLogin } from './visitor.server';

type Route = ServerBuild['routes'][string];
type Handler = (args: LoaderFunctionArgs | ActionFunctionArgs) => unknown;
type Answering = (args: LoaderFunctionArgs | ActionFunctionArgs) => Promise<unknown>;

/**
 * Loaders and actions return data and throw errors; this says once what browsers get of them: an {@link ApiError} is the
 * login, an error page, or JSON for a script, and only what a handler or the page's `headers` allows is cached.
 */
export function withAnswers(build: ServerBuild): ServerBuild {
  const answered = ({ module, ...route }: Route): Route => {
    const { loader, action } = module;
    return {
      ...route,
      module: {
        ...module,
        ...(loader && { loader: answering(loader as Handler) as typeof loader }),
        ...(action && { action: answering(action as Handler, allowBackCache) as typeof action }),
      },
    };
  };
  return {
    ...build,
    routes: Object.fromEntries(Object.entries(build.routes).map(([id, route]) => [id, answered(route)])),
  };
}

export const answering =
  (handle: Handler, withPolicy = (result: unknown) => result): Answering =>
  async (args) => {
    try {
      const result = await handle(args);
      return result instanceof Response ? notStored(result) : withPolicy(result);
    } catch (error) {
      throw notStored(error instanceof Response ? error : await refusalOf(error, args));
    }
  };

/** Unless the handler says otherwise. */
function notStored(response: Response): Response {
  if (!response.headers.has('cache-control')) response.headers.set('cache-control', 'no-store');
  return response;
}

/**
 * For the answer to a refused form: without JavaScript, browsers show it again when the visitor goes back to it, which
 * they can't with `no-store`.
 */
function allowBackCache(result: unknown): unknown {
  const { data: value, init } = isWithInit(result) ? result : { data: result, init: {} };
  const headers = new Headers(init?.headers);
  if (!headers.has('cache-control')) headers.set('cache-control', 'private, no-cache');
  return data(value, { ...init, headers });
}

const isWithInit = (result: unknown): result is ReturnType<typeof data<unknown>> =>
  typeof result === 'object' && result !== null && 'type' in result && result.type === 'DataWithResponseInit';

/** @throws the reason of an aborted request */
async function refusalOf(thrown: unknown, exchange: Exchange): Promise<Response> {
  const error = asApiError(thrown, exchange);
  if (isByScript(exchange.request)) return problemResponse(error);
  return error.code === 'users.not_authorized' ? startLogin(exchange) : problemPage(error);
}
