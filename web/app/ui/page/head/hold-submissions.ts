import { AWAITS_SCRIPTS, MAX_WAIT_MS } from './deferral';

/**
 * Keeps the submission of a form that awaits scripts until the page is hydrated. Sends it as without scripts when these
 * fail or take too long.
 */
export function holdSubmissions(): void {
  const root = document.documentElement;
  const held = new WeakSet<HTMLFormElement>();
  const isLoading = () => !root.dataset.live && root.classList.contains('js');
  const onSubmit = (event: SubmitEvent) => {
    const { target: form, submitter } = event;
    if (!(form instanceof HTMLFormElement) || !form.hasAttribute(AWAITS_SCRIPTS) || !isLoading()) return;
    event.preventDefault();
    if (held.has(form)) return;
    held.add(form);
    const send = () => {
      clearTimeout(timer);
      observer.disconnect();
      form.removeAttribute(AWAITS_SCRIPTS);
      form.requestSubmit(submitter);
    };
    const timer = setTimeout(send, MAX_WAIT_MS);
    const observer = new MutationObserver(() => {
      if (!isLoading()) send();
    });
    observer.observe(root, { attributes: true, attributeFilter: ['data-live', 'class'] });
  };
  addEventListener('submit', onSubmit, true);
}
