import { type ConsentKind, type Preferences, type User, userRoutes } from '@clearframe/contract';
import { type ActionFunctionArgs, redirect } from '@remix-run/node';
import { isByScript } from '../../http/answer.server';
import { callApi } from '../../http/api.server';
import { readForm } from '../../http/form.server';
import { type AccountSection, accountAddress } from '../../session/account-tabs';
import { setFlash } from '../../session/flash.server';
import { asVisitor, type VisitorCaller } from '../../session/visitor.server';
import { changeConsent } from '../consents/consent.server';
import { readAccount } from './account-data.server';
import { type PreferenceForm, preferenceForm } from './preference-form';

export async function action({ request, context }: ActionFunctionArgs): Promise<Response> {
  const form = await readForm(request, context, preferenceForm);
  const { result: user } = await asVisitor({ request, context }, (token) => save(form, { request, context, token }));
  if (isByScript(request)) return Response.json(await readAccount(user, request, context));
  await setFlash('saved', context);
  return redirect(accountAddress(sectionOf(form)) + new URL(request.url).search, 303);
}

type ConsentForm = Extract<PreferenceForm, { readonly change: 'marketing' | 'imageTraining' }>;

const CONSENTS: Readonly<Record<ConsentForm['change'], ConsentKind>> = {
  marketing: 'marketing',
  imageTraining: 'image-training',
};

const isConsentForm = (form: PreferenceForm): form is ConsentForm => Object.hasOwn(CONSENTS, form.change);

const sectionOf = (form: PreferenceForm): AccountSection => (isConsentForm(form) ? 'privacy' : 'general');

async function save(form: PreferenceForm, caller: VisitorCaller): Promise<User> {
  if (!isConsentForm(form)) {
    return callApi(userRoutes.updatePreferences, { body: { preferences: changesOf(form) } }, caller);
  }
  const isGranted = form.isGranted !== undefined;
  await changeConsent({ kind: CONSENTS[form.change], isGranted, page: accountAddress('privacy') }, caller);
  return callApi(userRoutes.getCurrentUser, {}, caller);
}

/** A switch that is off sends nothing. */
function changesOf(form: Exclude<PreferenceForm, ConsentForm>): Partial<Preferences> {
  switch (form.change) {
    case 'reminder':
      return { wantsEmailReminder: form.wantsEmailReminder !== undefined };
    case 'location':
      return { keepLocation: form.keepLocation !== undefined };
    case 'forgetTools':
      return { defaultAiPipeline: null };
  }
}
