import { IDENTITY_SCENARIOS } from '@clearframe/contract';
import type { MetaFunction } from '@remix-run/node';
import { type ClientActionFunctionArgs, useActionData, useLoaderData } from '@remix-run/react';
import FlaskConical from 'lucide-react/icons/flask-conical';
import { useEffect, useState } from 'react';
import { Notice } from '../../ui/content/notice';
import { Button } from '../../ui/controls/button';
import { Select } from '../../ui/controls/choices';
import { TextField } from '../../ui/controls/fields';
import { SegmentedSelector } from '../../ui/controls/segmented-selector';
import { SubmitButton, SubmitForm } from '../../ui/controls/submit-form';
import { useForm } from '../../ui/controls/use-form';
import { isLoginProvider, LOGIN_PROVIDER_LIST, PROVIDER_NAMES } from '../login/providers';
import { replyToOpener } from '../login/sandbox-reply';
import TEXTS from './sandbox.json';
import { loadSandbox, type sandboxAction } from './sandbox.server';
import { PROVIDER_SCENARIOS } from './sandbox-scenarios';

export const handle = { isBare: true };

export { privateHeaders as headers } from '../../http/page';
export { sandboxAction as action } from './sandbox.server';
export const loader = loadSandbox;

/** Replies before rendering: a revalidation may drop the action's data. */
export async function clientAction({ request, serverAction }: ClientActionFunctionArgs) {
  const isPopup = new URL(request.url).searchParams.get('display') === 'popup';
  const response = await serverAction<typeof sandboxAction>();
  if (isPopup && response?.reply) replyToOpener(response.reply);
  return response;
}

export const meta: MetaFunction = () => [{ title: TEXTS.title }, { name: 'robots', content: 'noindex' }];

/** Replaces a provider's login page. For developers, so in English only. */
export default function SandboxIdentityPage() {
  const { provider, isPopup } = useLoaderData<typeof loader>();
  const { reply = null, problem = null, result = null } = useActionData<typeof sandboxAction>() ?? {};
  const { form, field } = useForm({
    result,
    load: () => import('./sandbox-form'),
    parse: ({ parseSandbox }, fields) => parseSandbox(fields),
  });
  const { entered } = field('provider');
  const [chosen, setChosen] = useState(isLoginProvider(entered) ? entered : provider);
  useEffect(() => {
    if (reply && isPopup) replyToOpener(reply);
  }, [reply, isPopup]);

  return (
    <div lang="en" dir="ltr" className="mx-auto flex min-h-dvh w-full max-w-md flex-col justify-center gap-6 p-6">
      <header className="flex items-start gap-4 rounded-card bg-accent-soft p-5 text-accent-ink">
        <FlaskConical aria-hidden className="mt-0.5 size-6 shrink-0" />
        <div className="space-y-1.5">
          <h1 className="text-title">{TEXTS.title}</h1>
          <p className="text-sm text-pretty">{TEXTS.lead}</p>
        </div>
      </header>
      {problem && <Notice>{TEXTS.refused.replace('{code}', problem.code)}</Notice>}
      <SubmitForm {...form} method="post" className="flex flex-col gap-5">
        <SegmentedSelector
          label={TEXTS.provider}
          name="provider"
          options={LOGIN_PROVIDER_LIST.map((key) => ({ key, label: PROVIDER_NAMES[key] }))}
          selected={chosen}
          onSelect={setChosen}
        />
        <TextField
          field={field('email')}
          label={TEXTS.email}
          error={TEXTS.invalidEmail}
          defaultValue="ada@example.com"
          inputMode="email"
          autoComplete="email"
          autoCapitalize="none"
        />
        <div className="flex flex-col gap-1.5">
          <label htmlFor="scenario" className="text-sm font-medium">
            {TEXTS.scenario}
          </label>
          <Select id="scenario" name="scenario" defaultValue={field('scenario').entered}>
            <option value="">{TEXTS.works}</option>
            <optgroup label={TEXTS.atProvider}>
              {PROVIDER_SCENARIOS.map((name) => (
                <option key={name} value={name}>
                  {TEXTS.scenarios[name]}
                </option>
              ))}
            </optgroup>
            <optgroup label={TEXTS.atBackend}>
              {IDENTITY_SCENARIOS.map((name) => (
                <option key={name} value={name}>
                  {TEXTS.scenarios[name]}
                </option>
              ))}
            </optgroup>
          </Select>
        </div>
        <div className="flex flex-col gap-3">
          <SubmitButton kind="primary">{reply ? TEXTS.waiting : TEXTS.submit}</SubmitButton>
          <Button kind="ghost" type="submit" name="cancel" value="1" formNoValidate>
            {TEXTS.cancel}
          </Button>
        </div>
      </SubmitForm>
    </div>
  );
}
