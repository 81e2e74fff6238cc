import type { LoginProvider } from '@clearframe/contract';
import FlaskConical from 'lucide-react/icons/flask-conical';
import { useEffect, useState } from 'react';
import type { ProblemView } from '../../http/problem';
import { Notice } from '../../ui/content/notice';
import { Button } from '../../ui/controls/button';
import { SegmentedSelector } from '../../ui/controls/segmented-selector';
import { SubmitButton, SubmitForm } from '../../ui/controls/submit-form';
import { LOGIN_PROVIDER_LIST, PROVIDER_NAMES } from '../identity/client/providers';
import { type SandboxReply, tellOpener } from '../identity/client/sandbox-reply';
import TEXTS from './sandbox.json';
import { PROVIDER_SCENARIOS, type ProviderScenario, TOKEN_SCENARIOS } from './sandbox-scenarios';

interface SandboxPageProps {
  readonly provider: LoginProvider;
  readonly isPopup: boolean;
  readonly answer: { readonly reply: SandboxReply | null; readonly problem: ProblemView | null } | undefined;
}

const LABEL = 'flex flex-col gap-2 text-sm font-medium';

/** Stands in for a provider's own page: for builders, and so in English only. */
export function SandboxPage({ provider, isPopup, answer }: SandboxPageProps) {
  const [chosen, setChosen] = useState(provider);
  const reply = answer?.reply ?? null;
  useEffect(() => {
    if (reply && isPopup) tellOpener(reply);
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
      {answer?.problem && <Notice>{TEXTS.refused.replace('{code}', answer.problem.code)}</Notice>}
      <SubmitForm method="post" className="flex flex-col gap-5">
        <SegmentedSelector
          label={TEXTS.provider}
          name="provider"
          options={LOGIN_PROVIDER_LIST.map((key) => ({ key, label: PROVIDER_NAMES[key] }))}
          selected={chosen}
          onSelect={setChosen}
        />
        <label className={LABEL}>
          {TEXTS.email}
          <input
            type="email"
            name="email"
            required
            defaultValue="ada@example.com"
            autoComplete="email"
            className="field text-base font-normal"
          />
        </label>
        <label className={LABEL}>
          {TEXTS.scenario}
          <select name="scenario" className="field text-base font-normal">
            <option value="">{TEXTS.works}</option>
            <optgroup label={TEXTS.atProvider}>
              {(Object.keys(PROVIDER_SCENARIOS) as ProviderScenario[]).map((name) => (
                <option key={name} value={name}>
                  {TEXTS.scenarios[name]}
                </option>
              ))}
            </optgroup>
            <optgroup label={TEXTS.atBackend}>
              {TOKEN_SCENARIOS.map((name) => (
                <option key={name} value={name}>
                  {TEXTS.scenarios[name]}
                </option>
              ))}
            </optgroup>
          </select>
        </label>
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
