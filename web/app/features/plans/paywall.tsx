import type { Currency, Period } from '@clearframe/contract';
import { useLocation, useRevalidator } from '@remix-run/react';
import { type MouseEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { send } from '../../http/browser-client';
import { loginAddress, RETURN_PARAMETER } from '../../http/internal-address';
import { useData } from '../../http/use-data';
import { Notice } from '../../ui/content/notice';
import { Spinner } from '../../ui/content/waiting';
import { buttonClass } from '../../ui/controls/button';
import { ModalActions, ModalChoice, ModalLead, ModalTitle, useModalFrame } from '../../ui/modal/modal-frame';
import { AppLink } from '../../ui/page/app-link';
import type { ModalBodyProps } from '../modals/catalogue';
import { CurrentPlan, finalPlan } from './current-plan';
import type { PaywallData, PaywallProps, PaywallQuery } from './paywall-address';
import { PhotoOffer, photoChoices } from './photo-offer';
import { type HighlightedOffer, highlightedOffer, highlightedPriceId, SingleOffer } from './single-offer';
import { isSingleCard, Tiers } from './tiers';
import { usePaywallEvents } from './use-paywall-events';
import { usePeriod } from './use-period';

export function Paywall(props: ModalBodyProps<'paywall'>) {
  const { t } = useTranslation(['tiers', 'common']);
  const { loaded, hasFailed } = usePaywallData(props);
  if (loaded) return <LoadedPaywall {...props} loaded={loaded} />;
  return (
    <>
      <ModalTitle>{t('title')}</ModalTitle>
      {hasFailed ? (
        <>
          <Notice>{t('common:errors.service.unavailable')}</Notice>
          <AppLink to={props.modal.addressOf(props)} reloadDocument className={`${buttonClass('quiet')} self-start`}>
            {t('common:tryAgain')}
          </AppLink>
        </>
      ) : (
        <Spinner label={t('paywall.loading')} className="min-h-80 self-center text-muted" />
      )}
    </>
  );
}

function LoadedPaywall({ query, loaded, modal }: ModalBodyProps<'paywall'> & { readonly loaded: PaywallData }) {
  const { t } = useTranslation(['tiers', 'common']);
  const { mode } = useModalFrame();
  const { offers, isGuest } = loaded;
  const { period, show } = useModalPeriod({ query, loaded, modal });
  const switchCurrency = useModalCurrency({ query, loaded, modal });
  const highlighted = query.view === 'tiers' ? null : highlightedOffer(offers);
  const plans = offers.plansByPeriod[period].filter(({ action }) => action !== 'none');
  const photo = highlighted || query.view === 'tiers' || query.previousAction === 'tool' ? null : photoChoices(offers);
  const priceIds = highlighted
    ? [highlightedPriceId(highlighted)]
    : (photo ? [photo.plan, ...(photo.single ? [photo.single] : [])] : [...offers.packs, ...plans]).map(
        ({ priceId }) => priceId,
      );
  const choose = usePaywallEvents({
    priceIds,
    view: highlighted || photo ? 'offer' : 'tiers',
    previousAction: query.previousAction ?? null,
  });
  const all = { query: { ...query, view: 'tiers' }, loaded };
  const Heading = mode === 'page' ? 'h2' : 'h3';
  const final = highlighted ? null : finalPlan(offers);
  const isOneColumn = highlighted !== null || photo !== null || final !== null || isSingleCard(offers);
  return (
    <div
      className={isOneColumn ? 'mx-auto flex w-full max-w-xl flex-col gap-6' : 'contents'}
      data-one-column={isOneColumn || undefined}
    >
      <div className="flex flex-col gap-2">
        <ModalTitle>{t(final ? 'paywall.yours' : titleKey(loaded, query.previousAction))}</ModalTitle>
        <ModalLead>
          <p>{t(leadKey(highlighted, final !== null))}</p>
        </ModalLead>
      </div>
      {final && <CurrentPlan plan={final} offers={offers} onChoose={choose} />}
      {highlighted || photo ? (
        <>
          {highlighted ? (
            <SingleOffer offer={highlighted} offers={offers} isGuest={isGuest} onChoose={choose} />
          ) : (
            photo && <PhotoOffer choices={photo} offers={offers} isGuest={isGuest} onChoose={choose} />
          )}
          <AppLink
            to={modal.addressOf(all)}
            onClick={(event: MouseEvent) => {
              if (mode === 'page') return;
              event.preventDefault();
              modal.change(all);
            }}
            className={buttonClass('quiet')}
          >
            {t('paywall.others')}
          </AppLink>
        </>
      ) : final ? null : (
        <Tiers
          {...{ offers, isGuest, period }}
          heading={Heading}
          surface="well"
          onCurrency={mode === 'page' ? undefined : switchCurrency}
          onPeriod={show}
          onChoose={choose}
        />
      )}
      <ModalActions>
        {!final && (
          <ModalChoice kind="quiet" onChoose={() => void modal.close('later')}>
            {t('paywall.later')}
          </ModalChoice>
        )}
        {isGuest && <LogIn modal={modal.addressOf({ query, loaded })} onChoose={choose} />}
      </ModalActions>
    </div>
  );
}

/** In a dialog the page below keeps its address. */
function useModalPeriod({ query, loaded, modal }: ModalBodyProps<'paywall'> & { readonly loaded: PaywallData }) {
  const { mode } = useModalFrame();
  const [ofPage, showOnPage] = usePeriod(loaded.offers.period);
  const [ofDialog, setPeriod] = useState(loaded.offers.period);
  if (mode === 'page') return { period: ofPage, show: showOnPage };
  const show = (period: Period) => {
    setPeriod(period);
    modal.change({ query: { ...query, period }, loaded });
  };
  return { period: ofDialog, show };
}

/** Loads the offers in another currency, then the prices of the page below. */
function useModalCurrency({ query, modal }: ModalBodyProps<'paywall'>): (currency: Currency) => void {
  const { revalidate } = useRevalidator();
  return (currency) => {
    void fetchOffersIn(currency, query).then((offers) => {
      // The page has a form for it.
      if (!offers) return window.location.assign(modal.addressOf({ query, loaded: null }));
      modal.change({ query, loaded: offers });
      revalidate();
    });
  };
}

/** What the visitor gets: the picture without watermark, another plan, or a plan. */
function titleKey({ offers: { isPremium, taskId, isPhotoPaid } }: PaywallData, previousAction: string | undefined) {
  if (isPremium) return 'paywall.upgrade';
  return taskId && !isPhotoPaid && previousAction !== 'tool' ? 'paywall.photo' : 'title';
}

function leadKey(highlighted: HighlightedOffer | null, hasNothing: boolean) {
  if (hasNothing) return 'paywall.nothing';
  return highlighted?.kind === 'pack' ? 'packs.lead' : 'lead';
}

function LogIn({ modal, onChoose }: { readonly modal: string; readonly onChoose: () => void }) {
  const { t } = useTranslation('tiers');
  const frame = useModalFrame();
  const { pathname, search } = useLocation();
  const back = frame.mode === 'page' ? modal : `${pathname}${search}`;
  return (
    <AppLink to={loginAddress(back, search)} onClick={() => onChoose()} className={buttonClass('ghost')}>
      {t('offer.logIn')}
    </AppLink>
  );
}

const offersAddress = (query: PaywallQuery): string => `/upgrade/offers?${new URLSearchParams(query)}`;

/** @returns null when the request fails */
const fetchOffersIn = async (currency: Currency, query: PaywallQuery): Promise<PaywallData | null> =>
  (await send<PaywallData>('/currency', { currency, [RETURN_PARAMETER]: offersAddress(query) })).body;

function usePaywallData({ query, loaded }: PaywallProps) {
  const { data, error } = useData<PaywallData>(loaded ? null : offersAddress(query));
  return { loaded: loaded ?? data ?? null, hasFailed: error !== undefined };
}
