import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../ui/content/badge';
import { buttonClass } from '../../ui/controls/button';
import { AppLink } from '../../ui/page/app-link';
import { FlashNotice } from '../../ui/toast/flash-notice';
import type { Done } from './webhooks.server';
import type { EndpointView } from './webhooks-view.server';

export function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="flex flex-col gap-4">
      <h2 className="text-title">{title}</h2>
      {children}
    </section>
  );
}

export function DoneNotice({ flash }: { readonly flash: { readonly id: string; readonly done: Done } | null }) {
  const { t } = useTranslation('webhooks');
  return flash && <FlashNotice id={flash.id} text={t(`done.${flash.done}`)} />;
}

/** Why nothing is sent, and where to change it. */
export function NotInPlan() {
  const { t } = useTranslation(['common', 'account']);
  return (
    <div className="flex flex-col items-start gap-4 rounded-card bg-well p-5">
      <p className="text-pretty">{t('errors.webhook_endpoints.not_in_plan')}</p>
      <AppLink to="/upgrade" className={buttonClass('primary')}>
        {t('account:subscription.seePlans')}
      </AppLink>
    </div>
  );
}

export function EndpointState({ endpoint: { state, failingSince } }: { readonly endpoint: EndpointView }) {
  const { t } = useTranslation('webhooks');
  if (state !== 'on') return <Badge variant={state === 'owner' ? 'soon' : 'problem'}>{t('state.off')}</Badge>;
  return failingSince ? (
    <Badge variant="problem">{t('state.failing')}</Badge>
  ) : (
    <Badge variant="business">{t('state.on')}</Badge>
  );
}

/** What the badge leaves out; null when all is well. */
export function EndpointReason({ endpoint: { state, failingSince } }: { readonly endpoint: EndpointView }) {
  const { t } = useTranslation('webhooks');
  if (state !== 'on' && state !== 'owner') return t(`state.reasons.${state}`);
  return state === 'on' && failingSince ? t('state.failingSince', { time: failingSince.text }) : null;
}
