for (const section of document.querySelectorAll('section')) {
  const steps = [...section.querySelectorAll('.step')], where = section.querySelector('.where');
  let at = 0;
  const show = k => {
    at = Math.max(0, Math.min(steps.length - 1, k));
    steps.forEach((s, i) => s.classList.toggle('shown', i === at));
    where.textContent = steps.length ? `step ${at + 1} of ${steps.length}` : 'no steps';
  };
  section.querySelector('.back').onclick = () => show(at - 1);
  section.querySelector('.on').onclick = () => show(at + 1);
  show(0);
}
