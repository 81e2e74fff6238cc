import { useLocation } from '@remix-run/react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/controls/button';
import { Toggle } from '../../ui/controls/choices';
import { useAppNavigate } from '../../ui/page/app-link';
import { checkoutAddress, preserveOfferParam } from '../plans/offers';
import type { OrderView } from './checkout.server';
import { SHOWN_TRIAL_FIELD, UPDATE } from './order';

/** Switches the free trial on or off by the address; without JavaScript by a button. */
export function TrialChoice({ order: { priceId, taskId, trial } }: { readonly order: OrderView }) {
  const { t } = useTranslation('tiers');
  const { search } = useLocation();
  const navigate = useAppNavigate();
  const [isOn, setOn] = useState(trial.isChosen);
  useEffect(() => setOn(trial.isChosen), [trial.isChosen]);
  const choose = (next: boolean) => {
    setOn(next);
    const address = preserveOfferParam(checkoutAddress(priceId, { taskId, trial: next }), search);
    navigate(address, { replace: true, preventScrollReset: true });
  };
  return (
    <div className="flex flex-wrap items-center gap-x-4">
      {/* With the other choice, the payment shows its order. */}
      <input type="hidden" name={SHOWN_TRIAL_FIELD} value={String(trial.isChosen)} />
      <Toggle
        className="flex-1 basis-56 font-medium"
        label={t('checkout.trial')}
        name="freeTrialEnabled"
        value="true"
        checked={isOn}
        onChange={({ currentTarget }) => choose(currentTarget.checked)}
      />
      <Button type="submit" name="method" value={UPDATE} formNoValidate kind="quiet" size="small" className="js:hidden">
        {t('checkout.update')}
      </Button>
    </div>
  );
}
