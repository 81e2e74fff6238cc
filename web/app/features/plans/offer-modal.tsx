import { useLocation } from '@remix-run/react';
import { useTranslation } from 'react-i18next';
import { loginAddress, preserveVersionParam } from '../../http/internal-address';
import { useData } from '../../http/use-data';
import { Skeleton } from '../../ui/content/waiting';
import { buttonClass } from '../../ui/controls/button';
import { ModalActions, ModalArt, ModalChoice, ModalLead, ModalTitle, useModalFrame } from '../../ui/modal/modal-frame';
import { AppLink } from '../../ui/page/app-link';
import type { ModalBodyProps, ModalHandle } from '../modals/catalogue';
import { useModals } from '../modals/modals';
import { type CallToAction, type OfferData, type OfferProps, offerAddress } from './offer-address';
import type { PlanOffer } from './offers.server';
import { PlanAction } from './plan-action';
import { usePaywallEvents } from './use-paywall-events';

interface Topic {
  /** The lowest plan that helps. */
  readonly plan: PlanOffer['plan'];
  /** What the visitor wanted, for tracking and for the title of the paywall. */
  readonly previousAction: string;
}

const TOPICS: Readonly<Record<CallToAction, Topic>> = {
  batch: { plan: 'business', previousAction: 'batch' },
  formats: { plan: 'business', previousAction: 'format' },
  business_models: { plan: 'business', previousAction: 'tool' },
  premium_models: { plan: 'personal', previousAction: 'tool' },
  video: { plan: 'personal', previousAction: 'video' },
  video_limit: { plan: 'business', previousAction: 'limit' },
  video_week: { plan: 'business', previousAction: 'limit' },
  downloads: { plan: 'business', previousAction: 'limit' },
};

/** Shown because an upload was refused. */
const REFUSALS: readonly CallToAction[] = ['video_limit', 'video_week'];

export function OfferModal(props: ModalBodyProps<'offer'>) {
  const { topic, taskId = null, hasSingle = false, continuesAfterLogin = false, data, modal } = props;
  const { t } = useTranslation(['tiers', 'common']);
  const { open } = useModals();
  const loaded = useOfferData(taskId, data);
  async function logIn(): Promise<void> {
    await modal.close('logIn');
    if (!continuesAfterLogin) await open('user:login', { problem: null });
  }

  const resetsAt = topic === 'downloads' ? loaded?.resetsAt : null;
  return (
    <>
      <ModalArt name={topic} />
      <ModalTitle>{t(`offer.${topic}.title`)}</ModalTitle>
      <ModalLead>
        {resetsAt && <p>{t('offer.resets', { date: resetsAt })}</p>}
        <p>{t(`offer.${topic}.body`)}</p>
        {REFUSALS.includes(topic) && <p>{t('common:nothingCharged')}</p>}
        {loaded?.offers?.isBlocked && <p>{t('unavailable.title')}</p>}
      </ModalLead>
      {loaded ? (
        <Plan topic={topic} taskId={taskId} data={loaded} />
      ) : (
        <Skeleton className="h-12 w-full rounded-full" />
      )}
      <ModalActions>
        <Alternative topic={topic} taskId={taskId} hasSingle={hasSingle} modal={modal} />
        {loaded?.isGuest && <LoginChoice address={offerAddress({ topic, taskId })} onChoose={() => void logIn()} />}
      </ModalActions>
    </>
  );
}

function useOfferData(taskId: string | null, initial: OfferData | undefined): OfferData | null {
  const { data, error } = useData<OfferData>(initial ? null : `/offers${taskId ? `?taskId=${taskId}` : ''}`);
  return initial ?? data ?? (error ? { isGuest: false, offers: null, resetsAt: null } : null);
}

type PlanProps = Pick<OfferProps, 'topic' | 'taskId'> & { readonly data: OfferData };

function Plan({ topic, taskId, data: { offers } }: PlanProps) {
  const { t } = useTranslation('tiers');
  const { plan: lowest, previousAction } = TOPICS[topic];
  const isHelpful = ({ plan, isCurrent, action }: PlanOffer) =>
    !isCurrent && action !== 'none' && (plan === lowest || plan === 'business');
  const offer = offers?.plans.find(isHelpful);
  const choose = usePaywallEvents({
    priceIds: offer ? [offer.priceId] : null,
    view: topic,
    previousAction,
  });
  if (offer && offers) return <PlanAction offer={offer} offers={offers} onChoose={choose} isPrimary />;
  const query = new URLSearchParams({ previousAction, ...(taskId && { taskId }) });
  return (
    <AppLink to={`/upgrade?${query}`} className={`${buttonClass('quiet')} self-start`}>
      {t('offer.plans')}
    </AppLink>
  );
}

type AlternativeProps = Pick<OfferProps, 'topic' | 'taskId' | 'hasSingle'> & { readonly modal: ModalHandle<'offer'> };

function Alternative({ topic, taskId, hasSingle, modal }: AlternativeProps) {
  const { t } = useTranslation('tiers');
  const isForTool = topic === 'premium_models' || topic === 'business_models';
  const choice = hasSingle ? 'single' : topic === 'video' ? 'tryPhoto' : taskId && isForTool ? 'tryOut' : null;
  if (!choice) return null;
  return (
    <ModalChoice kind="quiet" onChoose={() => void modal.close(choice)}>
      {t(`offer.${choice}`)}
    </ModalChoice>
  );
}

function LoginChoice({ address, onChoose }: { readonly address: string; readonly onChoose: () => void }) {
  const { t } = useTranslation('tiers');
  const { mode } = useModalFrame();
  const { search } = useLocation();
  const login = preserveVersionParam(loginAddress(address, search), search);
  return (
    <AppLink
      to={login}
      onClick={(event) => {
        if (mode === 'page') return;
        event.preventDefault();
        onChoose();
      }}
      className={buttonClass('ghost')}
    >
      {t('offer.logIn')}
    </AppLink>
  );
}
