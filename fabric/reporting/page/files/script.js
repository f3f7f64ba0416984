"use strict";
// Drawings that open and close, search, and what a line or a box is. Texts are set as text, never as HTML.
(() => {
  const networks = JSON.parse(document.getElementById("data").textContent).networks;
  const shapes = [...document.querySelectorAll("template.shape")];
  const $ = (selector, root = document) => root.querySelector(selector);
  const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];
  const make = (tag, text, css) => {
    const element = document.createElement(tag);
    if (text !== undefined) element.textContent = text;
    if (css) element.className = css;
    return element;
  };
  const count = (n, one, many) => `${n.toLocaleString("en")} ${n === 1 ? one : many}`;

  // --- columns of numbers

  const runs = (list) => {
    const found = [];
    for (let i = 0; i < list.length; i += 2) for (let k = 0; k < list[i + 1]; k++) found.push(list[i]);
    return found;
  };
  const steps = (list) => {
    let sum = 0;
    return runs(list).map((step) => (sum += step));
  };
  const spans = (text) =>
    text.split(" ").flatMap((part) => {
      const [a, b] = part.split("-").map(Number);
      return b === undefined ? [a] : Array.from({ length: b - a + 1 }, (_, i) => a + i);
    });

  for (const net of networks) {
    for (const column of ["unit", "rail", "plane", "pod", "kind", "class", "load"]) net[column] = runs(net[column]);
    for (const column of ["base", "asn", "low", "high", "cable"]) net[column] = steps(net[column]);
    net.id = new Map(net.names.map((name, i) => [name, i]));
    net.role = net.names.map((_, i) => net.roles.find(([, start, stop]) => i >= start && i < stop)[0]);
    net.out = new Set(net.out);
    net.drained = new Set(net.drained);
    const owner = new Int32Array(net.base[net.base.length - 1]);
    for (let node = 0; node < net.names.length; node++) owner.fill(node, net.base[node], net.base[node + 1]);
    net.owner = owner;
    net.linksOf = net.names.map(() => []);
    net.low.forEach((port, link) => {
      net.linksOf[owner[port]].push(link);
      net.linksOf[owner[net.high[link]]].push(link);
    });
    for (const scope of net.scopes) {
      let at = -1;
      scope.nodes = runs(scope.nodes).map((step) => (at += step));
    }
    net.scope = new Map(net.scopes.map((scope) => [scope.id, scope]));
  }
  const portName = (net, port) => net.kinds[net.kind[net.owner[port]]].ports[port - net.base[net.owner[port]]] || "";
  const places = (net, node) =>
    net.several.filter((what) => net[what][node] >= 0 && !(what === "rail" && net.role[node] !== "leaf"))
      .map((what) => `${what} ${net[what][node]}`);

  // --- one network on the page

  class Network {
    constructor(article) {
      this.article = article;
      this.net = networks[Number(article.dataset.network)];
      this.stage = $(".stage", article);
      this.first = $("svg", this.stage);
      this.tell = $(".tell", article);
      this.hint = this.tell.textContent;
      this.device = $(".device", article);
      this.crumbs = $(".crumbs", article);
      const heat = $(".heat input", article);
      if (heat) heat.addEventListener("change", () => this.heat(heat.checked));
      this.stage.addEventListener("keydown", (event) => this.key(event));
      for (const kind of ["mouseover", "focusin"]) this.stage.addEventListener(kind, (event) => this.point(event.target));
      this.stage.addEventListener("mouseleave", () => this.point(document.activeElement));
      this.stage.addEventListener("click", (event) => this.open(event.target));
      this.show("hall");
    }

    show(id, node = -1) {
      const scope = this.net.scope.get(id) || this.net.scopes[0];
      this.scope = scope;
      const drawing = scope.shape < 0 ? this.first : shapes[scope.shape].content.firstElementChild.cloneNode(true);
      this.stage.replaceChildren(drawing);
      this.boxes = $$(".box", drawing);
      this.lines = $$("path.link", drawing);
      this.panels = $$("[data-p]", drawing);
      this.boxes.forEach((box) => this.prepare(box));
      for (const panel of this.panels.filter((panel) => panel.dataset.s)) this.button(panel, `${panel.dataset.w}, opens`);
      this.lines.forEach((line) => {
        line.setAttribute("tabindex", "-1");
        line.setAttribute("role", "img");
        line.setAttribute("aria-label", this.words(line));
      });
      this.loads = null;
      if (this.boxes[0]) this.boxes[0].setAttribute("tabindex", "0");
      if (this.lines[0]) this.lines[0].setAttribute("tabindex", "0");
      this.device.hidden = true;
      this.tell.textContent = this.hint;
      this.trail();
      if (this.stage.classList.contains("hot")) this.heat(true);
      if (node >= 0) this.choose(node);
    }

    prepare(box) {
      const nodes = spans(box.dataset.n).map((i) => this.scope.nodes[i]);
      box.nodes = nodes;
      const text = $("text", box);
      const name = this.net.names[nodes[0]];
      if (nodes.length === 1 && text && text.textContent === "") text.textContent = name;
      this.button(box, nodes.length === 1 ? [name, ...places(this.net, nodes[0])].join(", ") : `${box.dataset.w}, ${name} to ${this.net.names[nodes[nodes.length - 1]]}`);
    }

    button(element, words) {
      element.setAttribute("role", "button");
      element.setAttribute("tabindex", "-1");
      element.setAttribute("aria-label", words);
    }

    end(code) {
      const number = code.slice(1);
      if (code[0] === "p") return this.panels.find((panel) => panel.dataset.p === number).dataset.w;
      const box = this.boxes.find((each) => each.dataset.c === number);
      return box.dataset.w || this.net.names[box.nodes[0]];
    }

    words(line) {
      const out = line.dataset.out ? `, ${line.dataset.out} of them out of service` : "";
      const speed = line.dataset.v ? ` of ${line.dataset.v}` : "";
      return `${this.end(line.dataset.a)} to ${this.end(line.dataset.z)}: ${count(Number(line.dataset.l), "link", "links")}${speed}${out}`;
    }

    // Links of every line: those whose ends are in the boxes that it joins.
    linksOfLines() {
      if (this.loads) return this.loads;
      const cell = new Map(), found = new Map(this.lines.map((line) => [line, []]));
      for (const box of this.boxes) for (const node of box.nodes) cell.set(node, box);
      const known = new Map(this.lines.map((line) => [`${line.dataset.a} ${line.dataset.z}`, line]));
      const ends = (node) => {
        const box = cell.get(node);
        return box ? [`c${box.dataset.c}`, `p${box.dataset.in}`] : ["p0"];
      };
      const links = new Set(this.scope.nodes.flatMap((node) => this.net.linksOf[node]));
      for (const link of links) {
        const low = ends(this.net.owner[this.net.low[link]]), high = ends(this.net.owner[this.net.high[link]]);
        for (const a of low) for (const z of high) {
          const line = known.get(`${a} ${z}`) || known.get(`${z} ${a}`);
          if (line && found.get(line).at(-1) !== link) found.get(line).push(link);
        }
      }
      return (this.loads = found);
    }

    point(target) {
      const line = target && target.closest ? target.closest("path.link") : null;
      const box = target && target.closest ? target.closest(".box") : null;
      const lit = line ? [line] : box ? this.linesAt(box) : [];
      this.lines.forEach((each) => each.classList.toggle("on", lit.includes(each)));
      this.stage.classList.toggle("dimmed", lit.length > 0);
      if (line) this.tell.textContent = this.about(line);
      else if (box) this.tell.textContent = `${box.getAttribute("aria-label")}. ${lit.length ? lit.slice(0, 3).map((each) => this.words(each)).join("; ") : ""}${lit.length > 3 ? `; and ${lit.length - 3} more lines` : ""}`;
      else if (!this.device.hidden) return;
      else this.tell.textContent = this.hint;
    }

    linesAt(box) {
      const lineOf = new Map();
      for (const [line, links] of this.linksOfLines()) for (const link of links) lineOf.set(link, line);
      const here = new Set(box.nodes.flatMap((node) => this.net.linksOf[node]).map((link) => lineOf.get(link)));
      return this.lines.filter((line) => here.has(line));
    }

    about(line) {
      const links = this.linksOfLines().get(line);
      const classes = [...new Set(links.map((link) => this.net.class[link]))].map((i) => this.net.cables[i]);
      const cables = classes.map(([kind, metres, speed]) => `${speed} ${kind} ${metres} m`).join(", ");
      const busy = links.map((link) => this.net.load[link]).filter((value) => value !== undefined);
      const load = busy.length ? `. Load ${Math.min(...busy)} to ${Math.max(...busy)} % of a NIC port` : "";
      const one = links.length === 1 ? `. Cable ${this.net.prefix}${this.net.cable[links[0]]}: ${portName(this.net, this.net.low[links[0]])} to ${portName(this.net, this.net.high[links[0]])}` : "";
      return `${this.words(line)}${cables ? `. Cables: ${cables}` : ""}${one}${load}`;
    }

    heat(on) {
      this.stage.classList.toggle("hot", on);
      $(".scale", this.article).hidden = !on;
      const links = on ? this.linksOfLines() : null;
      for (const line of this.lines) {
        line.classList.remove("h0", "h1", "h2", "h3", "h4", "h5");
        if (!on) continue;
        const worst = Math.max(0, ...links.get(line).map((link) => this.net.load[link] || 0));
        line.classList.add(worst === 0 ? "h0" : worst <= 25 ? "h1" : worst <= 50 ? "h2" : worst <= 75 ? "h3" : worst <= 100 ? "h4" : "h5");
      }
    }

    // --- where we are

    trail() {
      const chain = [];
      for (let scope = this.scope; scope; scope = this.net.scope.get(scope.parent)) chain.unshift(scope);
      this.crumbs.replaceChildren();
      chain.forEach((scope, i) => {
        if (i) this.crumbs.append(" › ");
        const button = make("button", scope.name || "whole network");
        button.type = "button";
        if (i === chain.length - 1) button.setAttribute("aria-current", "true");
        button.addEventListener("click", () => this.go(scope.id));
        this.crumbs.append(button);
      });
      const inside = this.net.scopes.filter((scope) => scope.parent === this.scope.id);
      if (!inside.length) return;
      const select = make("select");
      select.setAttribute("aria-label", "Part to open");
      for (const scope of inside) select.append(new Option(scope.name, scope.id));
      const open = make("button", "Open");
      open.type = "button";
      open.addEventListener("click", (event) => this.go(select.value, event.detail === 0));
      this.crumbs.append(select, " ", open);
    }

    go(id, focus = false) {
      this.show(id);
      if (focus && this.boxes[0]) this.boxes[0].focus({ preventScroll: true });
    }

    open(target, focus = false) {
      const at = target.closest(".box, [data-s]");
      if (!at) return;
      if (at.dataset.s && this.net.scope.has(at.dataset.s) && at.dataset.s !== this.scope.id) this.go(at.dataset.s, focus);
      else if (at.nodes && at.nodes.length === 1) this.choose(at.nodes[0], true);
      else if (at.nodes) this.go(this.home(at.nodes[0]), focus);
    }

    // The smallest drawing that has a box of this node alone, or the smallest one.
    home(node) {
      const having = this.net.scopes.filter((scope) => scope.nodes.includes(node));
      return having.sort((a, b) => a.nodes.length - b.nodes.length)[0].id;
    }

    choose(node, keep = false) {
      if (!keep && !this.boxes.some((box) => box.nodes.length === 1 && box.nodes[0] === node)) {
        const home = this.home(node);
        if (home !== this.scope.id) return this.show(home, node);
      }
      for (const box of this.boxes) box.classList.toggle("on", box.nodes.length === 1 && box.nodes[0] === node);
      this.table(node);
      history.replaceState(null, "", `#${encodeURIComponent(this.net.names[node])}`);
      const box = this.boxes.find((each) => each.nodes.includes(node));
      if (box) this.roam(box);
      return undefined;
    }

    table(node) {
      const net = this.net, kind = net.kinds[net.kind[node]], place = net.places[node] || ["", 0, ""];
      const links = new Map();
      for (const link of net.linksOf[node]) {
        const own = net.owner[net.low[link]] === node ? net.low[link] : net.high[link];
        links.set(own, [link, own === net.low[link] ? net.high[link] : net.low[link]]);
      }
      const facts = [["Role", net.role[node]], ["Place", places(net, node).join(", ")], ["Model", kind.model], ["Platform", kind.platform],
        ["AS number", net.asn[node] > 0 ? net.asn[node] : ""], ["Loopback", net.loopback[node]], ["Management", place[2]],
        ["Rack", place[0] && `${place[0]}${place[1] ? ` at ${place[1]}` : ""}`], ["State", net.drained.has(node) ? "drained" : ""],
        ["Ports", `${links.size} of ${kind.ports.length} cabled`]];
      const list = make("dl");
      for (const [what, value] of facts.filter(([, value]) => value)) {
        const pair = make("div");
        pair.append(make("dt", what), make("dd", String(value)));
        list.append(pair);
      }
      const face = make("div", undefined, "face"), facing = runs(kind.facing);
      face.setAttribute("aria-hidden", "true");
      kind.ports.forEach((name, i) => {
        const found = links.get(net.base[node] + i), square = make("i", undefined, found ? (net.out.has(found[0]) ? "cut" : "up") : "");
        if (found && !net.out.has(found[0])) square.className = ["down", "up", "across", "out", "out"][facing[i]] || "down";
        square.title = found ? `${name}: ${net.names[net.owner[found[1]]]} ${portName(net, found[1])}` : `${name}: no cable`;
        face.append(square);
      });
      this.device.replaceChildren(make("h4", net.names[node]), list, face, this.ports(node, kind, links));
      this.device.hidden = false;
    }

    ports(node, kind, links) {
      const net = this.net, scroll = make("div", undefined, "scroll"), table = make("table"), body = make("tbody"), head = make("tr");
      scroll.tabIndex = 0;
      scroll.setAttribute("role", "region");
      scroll.setAttribute("aria-label", `Ports of ${net.names[node]}`);
      const columns = ["Port", "Neighbour", "Its port", "Speed", "Cable", "Length", "Number", ...(net.load.length ? ["Load %"] : []), "State"];
      for (const text of columns) head.append(Object.assign(make("th", text), { scope: "col" }));
      for (const [own, [link, far]] of [...links].sort((a, b) => a[0] - b[0])) {
        const [cable, metres, speed] = net.cables[net.class[link]], name = net.names[net.owner[far]], row = make("tr"), to = make("td"), a = make("a", name);
        a.href = `#${encodeURIComponent(name)}`;
        to.append(a);
        row.append(make("td", portName(net, own)), to, make("td", portName(net, far)));
        const rest = [speed, cable, `${metres} m`, `${net.prefix}${net.cable[link]}`, ...(net.load.length ? [net.load[link]] : []), net.out.has(link) ? "out of service" : ""];
        for (const value of rest) row.append(make("td", String(value)));
        body.append(row);
      }
      const top = make("thead");
      top.append(head);
      table.append(make("caption", `Ports of ${net.names[node]} and their neighbours`), top, body);
      scroll.append(table);
      return scroll;
    }

    // --- keys

    roam(element) {
      const peers = element.matches("path.link") ? this.lines : this.boxes;
      for (const each of peers) each.setAttribute("tabindex", each === element ? "0" : "-1");
    }

    key(event) {
      const at = event.target.closest(".box, path.link, [data-p]");
      if (!at) return;
      if (event.key === "Enter" || event.key === " ") this.open(at, true);
      else if (event.key === "Escape") this.back();
      else if (event.key.startsWith("Arrow")) {
        const next = this.neighbour(at, event.key);
        if (next) {
          this.roam(next);
          next.focus();
        }
      } else return;
      event.preventDefault();
    }

    back() {
      if (!this.device.hidden) {
        this.device.hidden = true;
        for (const box of this.boxes) box.classList.remove("on");
        return;
      }
      if (this.scope.parent) this.go(this.scope.parent, true);
    }

    neighbour(at, key) {
      if (at.matches("path.link")) {
        const i = this.lines.indexOf(at) + (key === "ArrowRight" || key === "ArrowDown" ? 1 : -1);
        return this.lines[i];
      }
      const here = at.getBoundingClientRect(), x = here.x + here.width / 2, y = here.y + here.height / 2;
      const across = key === "ArrowLeft" || key === "ArrowRight", sign = key === "ArrowRight" || key === "ArrowDown" ? 1 : -1;
      let best = null, least = Infinity;
      for (const box of this.boxes) {
        if (box === at) continue;
        const r = box.getBoundingClientRect(), dx = r.x + r.width / 2 - x, dy = r.y + r.height / 2 - y;
        const along = (across ? dx : dy) * sign, aside = Math.abs(across ? dy : dx);
        if (along <= 2) continue;
        const far = along + aside * (across ? 6 : 1.5);
        if (far < least) [best, least] = [box, far];
      }
      return best;
    }
  }

  const shown = $$(".network").map((article) => new Network(article));

  // --- search

  const find = document.getElementById("find"), list = document.getElementById("found");
  let hits = [], chosen = -1;
  const close = () => {
    list.hidden = true;
    find.setAttribute("aria-expanded", "false");
    find.removeAttribute("aria-activedescendant");
  };
  const search = (text) => {
    const wanted = text.trim().toLowerCase();
    hits = [];
    if (wanted) {
      for (const net of networks) for (const name of net.names) if (name.toLowerCase().includes(wanted)) hits.push([net, name]);
      const rank = (name) => (name.toLowerCase() === wanted ? 0 : name.toLowerCase().startsWith(wanted) ? 1 : 2);
      hits.sort((a, b) => rank(a[1]) - rank(b[1]));
    }
    const total = hits.length;
    hits = hits.slice(0, 12);
    chosen = hits.length ? 0 : -1;
    list.replaceChildren(
      ...hits.map(([net, name], i) => {
        const item = make("li", name);
        item.id = `hit-${i}`;
        item.setAttribute("role", "option");
        item.setAttribute("aria-selected", String(i === chosen));
        item.append(" ", make("small", [net.role[net.id.get(name)], networks.length > 1 ? net.name : ""].join(" ")));
        item.addEventListener("mousedown", (event) => {
          event.preventDefault();
          jump(net, name);
        });
        return item;
      }),
    );
    if (wanted && total !== hits.length) list.append(Object.assign(make("li", `${total - hits.length} more`), { ariaDisabled: "true" }));
    if (wanted && !total) list.append(make("li", "no device of that name"));
    list.hidden = !wanted;
    find.setAttribute("aria-expanded", String(Boolean(wanted)));
    if (chosen >= 0) find.setAttribute("aria-activedescendant", `hit-${chosen}`);
  };
  const jump = (net, name) => {
    const network = shown.find((each) => each.net === net);
    close();
    find.value = "";
    network.choose(net.id.get(name));
    network.article.scrollIntoView();
    const box = network.boxes.find((each) => each.nodes.includes(net.id.get(name)));
    if (box) box.focus({ preventScroll: true });
  };
  find.addEventListener("input", () => search(find.value));
  find.addEventListener("blur", close);
  find.addEventListener("keydown", (event) => {
    if (event.key === "Escape") close();
    else if (event.key === "Enter" && chosen >= 0) jump(...hits[chosen]);
    else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && hits.length) {
      chosen = (chosen + (event.key === "ArrowDown" ? 1 : -1) + hits.length) % hits.length;
      [...list.children].forEach((item, i) => item.setAttribute("aria-selected", String(i === chosen)));
      find.setAttribute("aria-activedescendant", `hit-${chosen}`);
    } else return;
    event.preventDefault();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.target.matches("input, select, textarea")) return;
    event.preventDefault();
    find.focus();
  });

  // --- addresses: `#leaf-0-0` opens a device

  const follow = () => {
    const name = decodeURIComponent(location.hash.slice(1));
    const net = networks.find((each) => each.id.has(name));
    if (net) jump(net, name);
  };
  window.addEventListener("hashchange", follow);
  follow();

  // --- paper: everything that is folded is shown

  let folded = [];
  window.addEventListener("beforeprint", () => {
    folded = $$("details:not([open])");
    for (const each of folded) each.open = true;
  });
  window.addEventListener("afterprint", () => {
    for (const each of folded) each.open = false;
  });
})();
