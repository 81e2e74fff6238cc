import { type Preferences, userRoutes } from '@clearframe/contract';
import { type ActionFunctionArgs, redirect } from '@remix-run/node';
import { callApi } from '../../../http/api.server';
import { readForm } from '../../../http/form/form.server';
import { asApiError, problemResponse } from '../../../http/problem.server';
import { setFlash } from '../../../session/flash/flash.server';
import { throwRefusal } from '../../../session/me.server';
import { asVisitor } from '../../../session/visitor.server';
import { readAccount } from '../view/account-data.server';
import { accountAddress } from '../view/account-tabs';
import { type PreferenceForm, preferenceForm } from './preference-form';

/** Changes one preference. Redirects forms to the account's page; returns the account's data to scripts. */
export async function savePreference({ request, context }: ActionFunctionArgs): Promise<Response> {
  const form = await readForm(request, context, preferenceForm);
  const isScript = form.byScript !== undefined;
  const headers = new Headers({ 'cache-control': 'no-store' });
  try {
    const body = { preferences: changesOf(form) };
    const { result: user } = await asVisitor(request, context, headers, (token) =>
      callApi(userRoutes.overridePreferences, { body }, { context, request, token }),
    );
    if (isScript) return Response.json(await readAccount(user, request, context), { headers });
    await setFlash('saved', headers, context);
    return redirect(accountAddress('general') + new URL(request.url).search, { status: 303, headers });
  } catch (error) {
    request.signal.throwIfAborted();
    const problem = asApiError(error, context);
    if (isScript) return problemResponse(problem, headers);
    return throwRefusal(problem, request, context, headers);
  }
}

/** A switch that is off sends nothing. */
function changesOf(form: PreferenceForm): Partial<Preferences> {
  switch (form.change) {
    case 'reminder':
      return { wantsEmailReminder: form.wantsEmailReminder !== undefined };
    case 'location':
      return { keepLocation: form.keepLocation !== undefined };
    case 'forgetTools':
      return { defaultAiPipeline: null };
  }
}
