import {
  type Experiment,
  experimentRoutes,
  STAFF_PASSWORD_HEADER,
  staffRoutes,
  userRoutes,
} from '@clearframe/contract';
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { ApiError, type Caller, callApi } from '../../http/api.server';
import { deviceTypeOf } from '../../http/client-of.server';
import { readFields } from '../../http/form.server';
import { asApiError, problemViewOf, throwPageFor } from '../../http/problem.server';
import { languageOf, translatorFor } from '../../i18n/i18n.server';
import { localStorageIdOf } from '../../session/local-storage-id.server';
import { testerCookie } from '../../session/preferences.server';
import { type Exchange, tokenOf } from '../../session/visitor.server';
import { parseSecretMenu } from './secret-menu-form';
import { type ClosedSecretMenu, experimentOf, NO_SEGMENT, type SecretMenuView } from './secret-menu-view';
import { forgetPassword, passwordIn, setPassword } from './staff-password.server';

const DONE_PARAMETER = 'done';
const CLOSED: ClosedSecretMenu = { isOpen: false, problem: null, result: null };

/** The menu as a page. */
export async function loadSecretMenu(args: LoaderFunctionArgs) {
  const isChanged = new URL(args.request.url).searchParams.get(DONE_PARAMETER) === 'yes';
  const [view, t] = await Promise.all([viewOf(args, isChanged), translatorFor(args.request, 'account')]);
  return { title: t('secretMenu.title'), view };
}

/** Forms without JavaScript: redirects to the menu, or shows it with the reason of a refusal. */
export async function changeOnPage(args: ActionFunctionArgs) {
  const { view, status } = await change(args);
  if (view.problem || (!view.isOpen && view.result)) return data({ view }, { status });
  const url = new URL(args.request.url);
  url.searchParams.delete(DONE_PARAMETER);
  if (view.isOpen && view.isChanged) url.searchParams.set(DONE_PARAMETER, 'yes');
  throw redirect(`${url.pathname}${url.search}`, 303);
}

export async function loadState(args: LoaderFunctionArgs): Promise<Response> {
  return Response.json(await viewOf(args, false));
}

/** Forms of scripts: the menu after the change, with the reason of a refusal. */
export async function changeState(args: ActionFunctionArgs): Promise<Response> {
  const { view } = await change(args);
  return Response.json(view);
}

interface Change {
  readonly view: SecretMenuView;
  readonly status: number;
}

async function change(exchange: Exchange): Promise<Change> {
  const { request, context } = exchange;
  const fields = await readFields(request, context);
  const submission = parseSecretMenu(fields);
  if (submission.status !== 'success') {
    if (fields.get('change') !== 'open') return throwPageFor('request.invalid', context);
    return { view: { ...CLOSED, result: submission.reply({ hideFields: ['password'] }) }, status: 422 };
  }
  const form = submission.value;
  try {
    switch (form.change) {
      case 'open':
        return { view: await open(form.password, exchange), status: 200 };
      case 'close':
        await forgetPassword(context);
        return { view: CLOSED, status: 200 };
      case 'isFree':
        return await changeOpen(exchange, (caller) => setIsFree(form.isFree === 'yes', caller));
      case 'experiments':
        return await changeOpen(exchange, (caller) => forceSegments(fields, caller));
    }
  } catch (error) {
    const problem = asApiError(error, { request, context });
    const isAboutPassword = form.change === 'open' && problem.code === 'secret_menu.password_incorrect';
    const view = isAboutPassword
      ? { ...CLOSED, result: submission.reply({ hideFields: ['password'], fieldErrors: { password: [problem.code] } }) }
      : { ...CLOSED, problem: problemViewOf(problem) };
    return { view, status: problem.status };
  }
}

/** @throws ApiError for a wrong password */
async function open(password: string, exchange: Exchange): Promise<SecretMenuView> {
  const { request, context } = exchange;
  const caller = await callerWith(password, { request, context });
  await callApi(staffRoutes.checkStaffPassword, {}, caller);
  await setPassword(password, context);
  await testerCookie.write(true, context);
  return menuOf(caller, false);
}

/** Makes a change in the open menu. A refusal leaves it open. */
async function changeOpen(exchange: Exchange, work: (caller: StaffCaller) => Promise<void>): Promise<Change> {
  const password = await passwordIn(exchange.request, exchange.context);
  if (password === null) return { view: CLOSED, status: 200 };
  const caller = await callerWith(password, exchange);
  try {
    await work(caller);
  } catch (error) {
    const problem = asApiError(error, exchange);
    if (problem.code === 'secret_menu.password_incorrect') throw error;
    return { view: { ...(await menuOf(caller, false)), problem: problemViewOf(problem) }, status: problem.status };
  }
  return { view: await menuOf(caller, true), status: 200 };
}

async function viewOf(exchange: Exchange, isChanged: boolean): Promise<SecretMenuView> {
  const { request, context } = exchange;
  const password = await passwordIn(request, context);
  if (password === null) return CLOSED;
  try {
    return await menuOf(await callerWith(password, { request, context }), isChanged);
  } catch (error) {
    const problem = asApiError(error, { request, context });
    // The password was changed since.
    if (problem.code === 'secret_menu.password_incorrect') await forgetPassword(context);
    return { ...CLOSED, problem: problemViewOf(problem) };
  }
}

interface StaffCaller extends Caller {
  readonly request: Request;
  readonly localStorageId: string;
}

async function callerWith(password: string, { request, context }: Exchange): Promise<StaffCaller> {
  return {
    request,
    context,
    token: await tokenOf(request, context),
    headers: { [STAFF_PASSWORD_HEADER]: password },
    localStorageId: await localStorageIdOf(request, context),
  };
}

const deviceOf = async ({ request, localStorageId }: StaffCaller) => ({
  localStorageId,
  deviceType: deviceTypeOf(request.headers.get('user-agent')),
  language: await languageOf(request),
});

const experimentsOf = async (caller: StaffCaller): Promise<Experiment[]> =>
  (await callApi(experimentRoutes.listExperiments, { body: await deviceOf(caller) }, caller)).experiments;

async function menuOf(caller: StaffCaller, isChanged: boolean) {
  const [experiments, account] = await Promise.all([experimentsOf(caller), accountOf(caller)]);
  return { isOpen: true, account, experiments, isChanged, problem: null } as const;
}

async function accountOf(caller: StaffCaller) {
  if (!caller.token) return null;
  try {
    const { isFree, monetization } = await callApi(userRoutes.getCurrentUser, {}, caller);
    return { isFree, isSubscribed: monetization.isSubscribed };
  } catch (error) {
    if (error instanceof ApiError && error.code === 'users.not_authorized') return null;
    throw error;
  }
}

async function setIsFree(isFree: boolean, caller: StaffCaller): Promise<void> {
  await callApi(staffRoutes.setIsFree, { body: { isFree } }, caller);
}

async function forceSegments(fields: URLSearchParams, caller: StaffCaller): Promise<void> {
  const chosen = [...fields].flatMap(([name, value]) => {
    const id = experimentOf(name);
    return id === null ? [] : [{ id, segmentId: value === NO_SEGMENT ? null : value }];
  });
  const current = await experimentsOf(caller);
  const modifiedExperiments = chosen.filter(
    ({ id, segmentId }) => current.find((one) => one.id === id)?.assignedSegmentId !== segmentId,
  );
  if (modifiedExperiments.length === 0) return;
  const body = { ...(await deviceOf(caller)), modifiedExperiments };
  await callApi(experimentRoutes.forceExperimentSegments, { body }, caller);
}
