import type { ToolName } from '@clearframe/contract';
import { useLocation } from '@remix-run/react';
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ProblemView } from '../../http/browser-client';
import { useSentForm } from '../../http/use-sent-form';
import { Notice } from '../../ui/content/notice';
import { Button } from '../../ui/controls/button';
import { Toggle } from '../../ui/controls/choices';
import { useModalFrame } from '../../ui/modal/modal-frame';
import { useToast } from '../../ui/toast/toast-list';
import { sendPreference } from '../consents/send-preference';
import type { AccountView } from './account-view.server';
import type { PreferenceForm as PreferenceFields } from './preference-form';

type OnChange = (account: AccountView) => void;

interface SwitchProps {
  readonly isOn: boolean;
  readonly onChange: OnChange;
}

export function ReminderSwitch(props: SwitchProps) {
  const { t } = useTranslation('account');
  return (
    <PreferenceSwitch
      change="reminder"
      name="wantsEmailReminder"
      title={t('general.reminder.title')}
      body={t('general.reminder.body')}
      {...props}
    />
  );
}

export function LocationSwitch(props: SwitchProps) {
  const { t } = useTranslation('account');
  return (
    <PreferenceSwitch
      change="location"
      name="keepLocation"
      title={t('general.location.title')}
      body={t('general.location.body')}
      {...props}
    />
  );
}

interface ConsentSwitchProps extends SwitchProps {
  readonly change: 'marketing' | 'imageTraining';
}

export function ConsentSwitch({ change, ...props }: ConsentSwitchProps) {
  const { t } = useTranslation('account');
  return <PreferenceSwitch change={change} name="isGranted" title={t(`privacy.${change}`)} {...props} />;
}

interface PreferenceSwitchProps extends SwitchProps {
  readonly change: PreferenceFields['change'];
  readonly name: string;
  readonly title: string;
  readonly body?: string;
}

function PreferenceSwitch({ change, name, title, body, isOn, onChange }: PreferenceSwitchProps) {
  const { t } = useTranslation('account');
  const form = usePreferenceForm(onChange);
  const [wanted, setWanted] = useState<boolean | null>(null);
  const clicks = useRef(0);
  const choose = (isWanted: boolean) => {
    clicks.current += 1;
    setWanted(isWanted);
  };
  const submit = async (fields: FormData): Promise<void> => {
    const click = clicks.current;
    await form.submit(fields);
    // The answer to an earlier click has the state that a later one has changed.
    if (click === clicks.current) setWanted(null);
  };
  return (
    <PreferenceForm
      change={change}
      problem={form.problem}
      onSubmit={submit}
      className="flex flex-col items-start gap-2 px-3 py-1.5"
    >
      <Toggle
        label={
          <>
            <span className="block font-medium">{title}</span>
            {body && <span className="block text-sm text-pretty text-muted">{body}</span>}
          </>
        }
        className="w-full"
        name={name}
        value="yes"
        checked={wanted ?? isOn}
        onChange={(event) => {
          choose(event.target.checked);
          event.target.form?.requestSubmit();
        }}
      />
      <Button kind="quiet" size="small" type="submit" className="js:hidden">
        {t('general.save')}
      </Button>
    </PreferenceForm>
  );
}

interface DefaultToolsProps {
  /** Null: the product's own choice. */
  readonly tools: readonly ToolName[] | null;
  readonly onChange: OnChange;
}

export function DefaultTools({ tools, onChange }: DefaultToolsProps) {
  const { t } = useTranslation('account');
  const form = usePreferenceForm(onChange);
  return (
    <PreferenceForm
      change="forgetTools"
      problem={form.problem}
      onSubmit={form.submit}
      className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-3 py-2"
    >
      <div className="min-w-0 flex-1 basis-56">
        <p className="font-medium">{t('general.tools.title')}</p>
        {tools === null || tools.length === 0 ? (
          <p className="text-sm text-pretty text-muted">{tools ? t('general.tools.none') : t('general.tools.ours')}</p>
        ) : (
          <ul className="flex flex-wrap gap-1.5 pt-1.5">
            {tools.map((tool) => (
              <li key={tool} className="rounded-full bg-accent-soft px-3 py-1 text-sm text-accent-ink">
                {t(`tools.${tool}`)}
              </li>
            ))}
          </ul>
        )}
      </div>
      {tools !== null && (
        <Button kind="quiet" size="small" type="submit" disabled={form.isSending}>
          {t('general.tools.reset')}
        </Button>
      )}
    </PreferenceForm>
  );
}

interface PreferenceFormProps {
  readonly change: PreferenceFields['change'];
  readonly problem: ProblemView | null;
  readonly onSubmit: (fields: FormData) => Promise<void>;
  readonly className: string;
  readonly children: ReactNode;
}

function PreferenceForm({ change, problem, onSubmit, className, children }: PreferenceFormProps) {
  const { t } = useTranslation('common');
  const { search } = useLocation();
  const { mode } = useModalFrame();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    void onSubmit(new FormData(event.currentTarget));
  };
  return (
    <>
      <form
        method="post"
        action={`/account/preferences${mode === 'page' ? search : ''}`}
        onSubmit={submit}
        className={className}
      >
        <input type="hidden" name="change" value={change} />
        {children}
      </form>
      {problem && <Notice>{t(`errors.${problem.code}`)}</Notice>}
    </>
  );
}

function usePreferenceForm(onChange: OnChange) {
  const { t } = useTranslation('account');
  const { show } = useToast();
  return useSentForm<AccountView>(sendPreference, (account) => {
    onChange(account);
    show(t('saved'));
  });
}
