/**
 * Sets the `js` class before the first paint, which prevents layout shifts, and removes it when the page's scripts
 * fail to load, so that the page then works as without JavaScript.
 */
export function detectScripts(): void {
  const root = document.documentElement;
  const giveUp = () => {
    if (root.dataset.live || !root.classList.contains('js')) return;
    root.classList.remove('js');
    const refresh = document.querySelector<HTMLMetaElement>('meta[name=refresh-without-script]');
    if (refresh) setTimeout(() => location.reload(), Number(refresh.content) * 1_000);
  };
  root.classList.add('js');
  const onError = ({ target }: Event) => {
    if (target instanceof HTMLScriptElement) giveUp();
  };
  // Errors of elements don't bubble.
  addEventListener('error', onError, true);
  addEventListener('unhandledrejection', giveUp);
}
