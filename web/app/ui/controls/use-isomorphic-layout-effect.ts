import { useEffect, useLayoutEffect } from 'react';

/** A layout effect in the browser; on the server, where there is no layout, React would warn of one. */
export const useIsomorphicLayoutEffect = typeof document === 'undefined' ? useEffect : useLayoutEffect;
