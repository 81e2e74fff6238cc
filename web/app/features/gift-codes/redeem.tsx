import type { ErrorCode } from '@clearframe/contract';
import type { SubmissionResult } from '@conform-to/dom';
import { Form, useLocation, useNavigation } from '@remix-run/react';
import Gift from 'lucide-react/icons/gift';
import Smartphone from 'lucide-react/icons/smartphone';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ProblemView } from '../../http/browser-client';
import { addVisitInfo } from '../../telemetry/telemetry';
import { Notice } from '../../ui/content/notice';
import { Button } from '../../ui/controls/button';
import { TextField } from '../../ui/controls/fields';
import { SubmitButton, SubmitForm } from '../../ui/controls/submit-form';
import { useForm } from '../../ui/controls/use-form';
import { useModals } from '../modals/modals';

/** Set by the script, which shows the outcome as a dialog. Not in the form's module, which is loaded later. */
export const SCRIPT_FIELD = 'byScript';

interface RedeemProps {
  readonly code: string;
  readonly isMobile: boolean;
  readonly appAccount: SubmissionResult | null;
  readonly isGuest: boolean;
  readonly problem: ProblemView | null;
  readonly result: SubmissionResult | null;
  readonly done: { readonly until: string | null } | null;
}

export function Redeem({ code, isMobile, appAccount, isGuest, problem, result, done }: RedeemProps) {
  const { t } = useTranslation(['account', 'common']);
  const { pathname, search } = useLocation();
  const { open } = useModals();
  useEffect(() => {
    const backendId = new URLSearchParams(search).get('backend_id');
    if (backendId) addVisitInfo('backend_id', backendId);
  }, [search]);
  // The answer comes before the page's data, and the navigation that ends with those closes dialogs.
  const { state } = useNavigation();
  useEffect(() => {
    if (done && state === 'idle') void open('redeemed', done);
  }, [done, state, open]);
  const Icon = isMobile ? Smartphone : Gift;
  const kind = isMobile ? 'mobile' : 'redeem';
  return (
    <section className="mx-auto flex w-full max-w-xl flex-1 flex-col justify-center gap-6 px-5 py-10 sm:px-8">
      <span className="grid size-14 place-items-center rounded-card bg-accent-soft text-accent-ink">
        <Icon aria-hidden className="size-7" />
      </span>
      <h1 className="text-display-sm">{t(`${kind}.title`)}</h1>
      {problem && <Notice>{t(`common:errors.${problem.code}`)}</Notice>}
      <div className="text-lg text-pretty text-muted">
        <p>{t(`${kind}.lead`)}</p>
        {isGuest && <p>{t('redeem.logIn')}</p>}
      </div>
      {isMobile ? (
        <SubmitForm method="post" action={`${pathname}${search}`}>
          <ScriptField />
          <SubmitButton kind="primary">{t('mobile.link')}</SubmitButton>
        </SubmitForm>
      ) : (
        <>
          <CodeForm code={code} result={result} />
          <AppAccountForm result={appAccount} />
        </>
      )}
    </section>
  );
}

function CodeForm({ code, result }: Pick<RedeemProps, 'code' | 'result'>) {
  const { t } = useTranslation(['account', 'common']);
  const { form, field } = useForm({
    result,
    load: () => import('./redeem-form'),
    parse: ({ parseRedeem }, fields) => parseRedeem(fields),
  });
  const [problem] = result?.error?.code ?? [];
  return (
    <SubmitForm {...form} method="post" action="/redeem" className="flex flex-col items-start gap-5">
      <ScriptField />
      <TextField
        field={field('code')}
        label={t('redeem.code')}
        error={problem?.startsWith('gift_codes.') ? t(`common:errors.${problem as ErrorCode}`) : t('redeem.missing')}
        placeholder="GIFT-XXXX-XXXX-XXXX-XXXX"
        autoComplete="off"
        autoCapitalize="characters"
        defaultValue={code}
      />
      <SubmitButton kind="primary">{t('redeem.confirm')}</SubmitButton>
    </SubmitForm>
  );
}

/** Leads to the confirmation of {@link Redeem}: the app opens it with the id in its address. */
function AppAccountForm({ result }: { readonly result: SubmissionResult | null }) {
  const { t } = useTranslation('account');
  const { search } = useLocation();
  const { form, field } = useForm({
    result,
    load: () => import('./redeem-form'),
    parse: ({ parseAppAccount }, fields) => parseAppAccount(fields),
    // Drafts belong to a page: the code's form keeps its own.
    keepsDraft: false,
  });
  const version = new URLSearchParams(search).get('v');
  return (
    <section id="app" aria-labelledby="app-title" className="flex flex-col gap-4 border-line border-t pt-6">
      <h2 id="app-title" className="text-title">
        {t('mobile.title')}
      </h2>
      <p className="text-pretty text-muted">{t('mobile.lead')}</p>
      <Form {...form} action="/redeem" className="flex flex-col items-start gap-5">
        {version && <input type="hidden" name="v" value={version} />}
        <TextField field={field('backend_id')} label={t('mobile.id')} error={t('mobile.missing')} autoComplete="off" />
        <Button type="submit" kind="quiet">
          {t('mobile.link')}
        </Button>
      </Form>
    </section>
  );
}

function ScriptField() {
  const [isLive, setLive] = useState(false);
  useEffect(() => setLive(true), []);
  return isLive ? <input type="hidden" name={SCRIPT_FIELD} value="yes" /> : null;
}
