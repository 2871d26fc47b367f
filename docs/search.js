// The search of these pages takes ^ for a weight and would find nothing for max^n; without it, it finds maxn.
document.addEventListener("input", ({ target }) => {
  if (target.matches(".md-search__input")) target.value = target.value.replaceAll("^", "")
}, true)
