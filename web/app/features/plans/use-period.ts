import type { Period } from '@clearframe/contract';
import { useLocation } from '@remix-run/react';
import { useState } from 'react';
import { useAppNavigate } from '../../ui/page/app-link';

export function usePeriod(initial: Period): readonly [Period, (period: Period) => void] {
  const [period, setPeriod] = useState(initial);
  const { pathname, search } = useLocation();
  const navigate = useAppNavigate();
  const show = (chosen: Period) => {
    setPeriod(chosen);
    const query = new URLSearchParams(search);
    query.set('period', chosen);
    navigate(`${pathname}?${query}`, { replace: true, preventScrollReset: true });
  };
  return [period, show];
}
