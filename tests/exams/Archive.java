import java.io.FileInputStream;
import java.io.InputStream;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.xml.parsers.DocumentBuilderFactory;
import org.verapdf.gf.foundry.VeraGreenfieldFoundryProvider;
import org.verapdf.pdfa.Foundries;
import org.verapdf.pdfa.PDFAParser;
import org.verapdf.pdfa.PDFAValidator;
import org.verapdf.pdfa.flavours.PDFAFlavour;
import org.verapdf.pdfa.results.TestAssertion;
import org.verapdf.pdfa.validation.profiles.Profiles;
import org.verapdf.pdfa.validation.profiles.Rule;
import org.verapdf.pdfa.validation.profiles.ValidationProfile;
import org.verapdf.pdfa.validation.profiles.Variable;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** Asks veraPDF about files: a line for each file and standard with the number of faults, and one for each fault.

    The profiles are read here, since veraPDF's own way to read them needs a library that not every copy brings. */
public class Archive {
    public static void main(String[] paths) throws Exception {
        VeraGreenfieldFoundryProvider.initialise();
        ValidationProfile[] profiles = {
            profile(PDFAFlavour.PDFA_2_A, "PDFA-2A.xml"), profile(PDFAFlavour.PDFUA_1, "PDFUA-1.xml")
        };
        for (String path : paths) {
            for (ValidationProfile profile : profiles) {
                check(path, profile);
            }
        }
    }

    static void check(String path, ValidationProfile profile) throws Exception {
        PDFAFlavour flavour = profile.getPDFAFlavour();
        try (InputStream file = new FileInputStream(path);
                PDFAParser parser = Foundries.defaultInstance().createParser(file, flavour);
                PDFAValidator validator = Foundries.defaultInstance().createValidator(profile, false)) {
            List<TestAssertion> faults = validator.validate(parser).getTestAssertions();
            System.out.println(flavour.getId() + ": " + faults.size() + " faults");
            for (TestAssertion fault : faults) {
                System.out.println("  " + fault.getRuleId().getClause() + " " + fault.getMessage());
            }
        }
    }

    static ValidationProfile profile(PDFAFlavour flavour, String name) throws Exception {
        InputStream file = Profiles.class.getResourceAsStream("/org/verapdf/pdfa/validation/" + name);
        Element root = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file).getDocumentElement();
        Set<Rule> rules = new HashSet<>();
        for (Element each : elements(root, "rule")) {
            Element id = elements(each, "id").get(0);
            rules.add(Profiles.ruleFromValues(
                Profiles.ruleIdFromValues(
                    PDFAFlavour.Specification.valueOf(id.getAttribute("specification")),
                    id.getAttribute("clause"),
                    Integer.parseInt(id.getAttribute("testNumber"))),
                each.getAttribute("object"),
                Boolean.valueOf(each.getAttribute("deferred")),
                each.getAttribute("tags"),
                text(each, "description"),
                text(each, "test"),
                Profiles.errorFromValues(text(each, "message"), List.of()),
                List.of()));
        }
        Set<Variable> variables = new HashSet<>();
        for (Element each : elements(root, "variable")) {
            variables.add(Profiles.variableFromValues(
                each.getAttribute("name"),
                each.getAttribute("object"),
                text(each, "defaultValue"),
                text(each, "value")));
        }
        return Profiles.profileFromValues(flavour, Profiles.defaultProfile().getDetails(), "", rules, variables);
    }

    static List<Element> elements(Element parent, String name) {
        NodeList found = parent.getElementsByTagName(name);
        return java.util.stream.IntStream.range(0, found.getLength()).mapToObj(n -> (Element) found.item(n)).toList();
    }

    static String text(Element parent, String name) {
        return elements(parent, name).get(0).getTextContent();
    }
}
