import { useLocation } from '@remix-run/react';
import { useTranslation } from 'react-i18next';
import { loginAddress, preserveVersionParam } from '../../../http/internal-address';
import { buttonClass } from '../../../ui/controls/button';
import { ModalActions, ModalChoice, ModalLead, ModalTitle, useModalFrame } from '../../../ui/modal/modal-frame';
import { AppLink } from '../../../ui/page/app-link';
import type { ModalBodyProps } from '../../modals/catalogue';
import { PlanAction } from '../plans/plan-action';
import { offerAddress } from './offer-address';

const SAMPLES = ['chelsea', 'astronaut', 'coffee'] as const;

/** A plan's advantage, its price, and the way on without it. */
export function OfferModal({ topic, isGuest, hasSingle, offers, modal }: ModalBodyProps<'offer'>) {
  const { t } = useTranslation('tiers');
  const plan = topic === 'video' ? 'personal' : 'business';
  const offer = offers?.plans.find((one) => one.plan === plan && one.action !== 'none');
  return (
    <>
      <div aria-hidden className="flex ps-2 pt-2">
        {SAMPLES.map((name) => (
          <img
            key={name}
            src={`/samples/${name}-small.jpg`}
            alt=""
            width={160}
            height={160}
            className="-ms-2 size-20 rounded-card object-cover shadow-float ring-3 ring-raised odd:-rotate-3 even:rotate-3 sm:size-24"
          />
        ))}
      </div>
      <ModalTitle>{t(`offer.${topic}.title`)}</ModalTitle>
      <ModalLead>
        <p>{t(`offer.${topic}.body`)}</p>
        {offers?.isBlocked && <p>{t('unavailable.title')}</p>}
      </ModalLead>
      {offer && offers ? (
        <PlanAction offer={offer} offers={offers} />
      ) : (
        <AppLink to="/upgrade" className={`${buttonClass('quiet')} self-start`}>
          {t('offer.plans')}
        </AppLink>
      )}
      <ModalActions>
        {hasSingle && (
          <ModalChoice kind="quiet" onChoose={() => void modal.close('single')}>
            {t('offer.single')}
          </ModalChoice>
        )}
        {isGuest && <LoginChoice address={offerAddress({ topic })} onChoose={() => void modal.close('logIn')} />}
      </ModalActions>
    </>
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
