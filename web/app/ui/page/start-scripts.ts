/** `rel` and `type` of preloads and modules that wait for the page's important picture. */
export const DEFERRED_PRELOAD = 'later-modulepreload';
export const DEFERRED_MODULE = 'later-module';

/** Limit for slow connections. */
const MAX_WAIT_MS = 3_000;

/**
 * For the head of a page: starts waiting modules once the important picture is painted or has failed, or at the first
 * press, key or dragged file. Preloads request all files at once; the module alone would request them one after the other.
 */
export const START_SCRIPT = `addEventListener('DOMContentLoaded',function(){var d=document,m=d.querySelector('script[type=${DEFERRED_MODULE}]'),p=d.querySelector('img[fetchpriority=high]');function start(){if(!m)return;d.querySelectorAll('link[rel=${DEFERRED_PRELOAD}]').forEach(function(l){l.rel='modulepreload'});var s=d.createElement('script');s.type='module';s.nonce=m.nonce;s.text=m.text;m=null;d.head.append(s)}function painted(){requestAnimationFrame(function(){setTimeout(start)})}if(!p||d.hidden)return start();p.decode().then(painted,start);['pointerdown','keydown','dragenter'].forEach(function(e){addEventListener(e,start,{once:true,capture:true})});setTimeout(start,${MAX_WAIT_MS})})`;

/** On a form that is answered with a file, so that only the page's scripts can show what it changed. */
export const AWAITS_SCRIPTS = 'data-awaits-scripts';

/**
 * For the head of a page: keeps the submission of such a form until the page is hydrated. Sends it as without scripts
 * when these fail or take too long.
 */
export const SUBMIT_SCRIPT = `addEventListener('submit',function(e){var r=document.documentElement,f=e.target,b=e.submitter;function waits(){return !r.dataset.live&&r.classList.contains('js')}if(!f.hasAttribute('${AWAITS_SCRIPTS}')||!waits())return;e.preventDefault();if(f.isHeld)return;f.isHeld=true;function send(){if(!o)return;o.disconnect();o=null;f.removeAttribute('${AWAITS_SCRIPTS}');f.requestSubmit(b)}var o=new MutationObserver(function(){waits()||send()});o.observe(r,{attributes:true,attributeFilter:['data-live','class']});setTimeout(send,${MAX_WAIT_MS})},true)`;
